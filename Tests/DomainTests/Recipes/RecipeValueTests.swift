import Testing

@testable import Domain

struct RecipeValueTests {
    private static let full: Recipe = {
        var recipe = Recipe()
        recipe.adjustment = AppleAdjustment(
            affine: [1, 0, 0, 1, -12.5, 4], crop: [0, 330, 2448, 2448], width: 3264, height: 2448, orientation: 6)
        recipe.rotate = -90
        recipe.crop = RecipeCrop(x: 0.1, y: 0.2, width: 0.3, height: 0.4)
        recipe.square = true
        recipe.enhance = true
        recipe.filter = .vignette(start: 0.3, end: 0.75)
        recipe.saturation = 1.2
        recipe.contrast = 0.9
        recipe.brightness = -0.05
        recipe.frame = RecipeFrame(.white, width: 0.1)
        recipe.fit = 1600
        return recipe
    }()

    @Test func `a recipe's text gives the same recipe and the same text`() throws {
        let copy = try Recipe(json: Self.full.json)

        #expect(copy == Self.full)
        #expect(copy.json == Self.full.json)
        #expect(copy.digest == Self.full.digest)
    }

    @Test func `the digest is of the text and its generation, and stays`() {
        var recipe = Recipe()
        recipe.filter = .greyscale

        #expect(recipe.json == #"{"filter":{"name":"greyscale"}}"#)
        // printf '2:{"filter":{"name":"greyscale"}}' | sha256sum | cut -c1-32
        #expect(recipe.digest == "9598fae7df15b7cfeb0c18c4abf777da")
    }

    @Test func `whatever changes in a recipe changes its digest and each stored picture's name`() {
        let changes: [(inout Recipe) -> Void] = [
            { $0.adjustment = nil }, { $0.rotate = 90 }, { $0.crop = nil }, { $0.square = nil }, { $0.enhance = nil },
            { $0.filter = .sepia(intensity: 1) }, { $0.saturation = 1.3 }, { $0.contrast = 1 }, { $0.brightness = 0 },
            { $0.frame = RecipeFrame(.black, width: 0.1) }, { $0.fit = 1601 },
        ]
        var names: Set<String> = [StoredPicture(.thumb, .webp, recipe: Self.full).name]

        for change in changes {
            var recipe = Self.full
            change(&recipe)
            names.insert(StoredPicture(.thumb, .webp, recipe: recipe).name)
        }

        #expect(names.count == changes.count + 1)
    }

    @Test func `each size, format and recipe has a name of its own`() {
        let recipes: [Recipe?] = [nil, Self.full]
        let names = recipes.flatMap { recipe in
            PublicRendition.allCases.flatMap { size in
                PictureFormat.allCases.map { StoredPicture(size, $0, recipe: recipe).name }
            }
        }

        #expect(Set(names).count == names.count)
        #expect(StoredPicture(.small, .jpeg, recipe: nil).name == "small")
    }

    @Test(arguments: [
        (-0.1, 0.0, 0.5, 0.5), (0, 0, 0, 1), (0.6, 0, 0.5, 1), (0, 0.5, 1, 0.51), (0, 0, 1.1, 1), (.nan, 0, 1, 1),
    ])
    func `a crop lies inside the picture`(x: Double, y: Double, width: Double, height: Double) {
        #expect(RecipeCrop(x: x, y: y, width: width, height: height) == nil)
    }

    @Test(arguments: [
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:aas="http://ns.apple.com/adjustment-settings/1.0/">
        <aas:AffineA>0.99</aas:AffineA><aas:AffineB>-0.1</aas:AffineB><aas:AffineC>0.1</aas:AffineC>
        <aas:AffineD>0.99</aas:AffineD><aas:AffineX> -12.5 </aas:AffineX><aas:AffineY>40</aas:AffineY>
        <aas:CropX>10</aas:CropX><aas:CropY>330</aas:CropY><aas:CropW>2448</aas:CropW><aas:CropH>2448</aas:CropH>
        </rdf:Description></rdf:RDF></x:xmpmeta>
        """,
        """
        <rdf:Description xmlns:a='http://ns.apple.com/adjustment-settings/1.0/' a:AffineA='0.99' a:AffineB='-0.1'
        a:AffineC="0.1" a:AffineD="0.99" a:AffineX="-12.5" a:AffineY="40" a:CropX="10" a:CropY="330" a:CropW="2448"
        a:CropH="2448"/>
        """,
    ])
    func `an AdjustmentXMP is read as elements and as attributes`(text: String) throws {
        let xmp = try #require(AdjustmentXMP(text))

        #expect(xmp.affine == [0.99, -0.1, 0.1, 0.99, -12.5, 40])
        #expect(xmp.crop == [10, 330, 2448, 2448])
    }

    @Test(arguments: [
        "", "<a/>", "<a xmlns:aas='http://ns.apple.com/adjustment-settings/1.0/'/>",
        "<a xmlns:aas='http://example.com/' aas:CropX='0' aas:CropY='0' aas:CropW='1' aas:CropH='1'/>",
        "<a xmlns:aas='http://ns.apple.com/adjustment-settings/1.0/' aas:CropX='0' aas:CropY='nan' aas:CropW='1'/>",
        "<a xmlns:a='http://ns.apple.com/adjustment-settings/1.0/'>" + String(repeating: " ", count: 20_000),
    ])
    func `what is no AdjustmentXMP is refused`(text: String) {
        #expect(AdjustmentXMP(text) == nil)
    }

    @Test func `an adjustment that leaves nothing is refused`() {
        for (affine, crop) in [
            (nil, [5000, 0, 10, 10]), ([0, 0, 0, 0, 0, 0], nil), (nil, [0, 0, -5, 10]), ([1, 0, 0], nil),
        ] as [([Double]?, [Double]?)] {
            #expect(AppleAdjustment(affine: affine, crop: crop, width: 100, height: 100, orientation: 1) == nil)
        }
    }

    @Test func `a public size is that of what the recipe shows`() {
        var recipe = Recipe()
        recipe.rotate = 90
        recipe.frame = RecipeFrame(.white, width: 0.1)

        #expect(PublicRendition.small.size(ofWidth: 4000, height: 3000) == (640, 480))
        #expect(PublicRendition.thumb.size(ofWidth: 4000, height: 3000) == (320, 320))
        // 3600 x 4600 with its frame.
        #expect(PublicRendition.small.size(ofWidth: 4000, height: 3000, recipe: recipe) == (501, 640))
        #expect(PublicRendition.small.size(ofWidth: 100, height: 50) == (100, 50))
    }
}
