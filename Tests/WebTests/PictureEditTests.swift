import Domain
import Foundation
import HTTP
import TestPics
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(5)))
struct PictureEditTests {
    /// The fields as a browser sends them where nobody has changed any.
    private static let unchanged: FormFields = [
        "turn": "0", "straighten": "0", "crop_left": "0", "crop_top": "0", "crop_width": "100", "crop_height": "100",
        "filter": "",
        "saturation": "1", "contrast": "1", "brightness": "0", "frame": "",
    ]

    private static func fields(_ changes: [String: String]) -> FormFields {
        var fields = FormFields()
        for pair in unchanged.pairs { fields.add(pair.name, changes[pair.name] ?? pair.value) }
        for (name, value) in changes where unchanged[name] == nil { fields.add(name, value) }
        return fields
    }

    private static func recipe(_ json: String) throws -> Recipe { try Recipe(json: json) }

    // MARK: Fields and recipes

    @Test func `fields that nobody has changed are no recipe`() throws {
        #expect(try PictureFields.recipe(Self.unchanged, over: nil).isEmpty)
        #expect(try PictureFields.recipe([:], over: nil).isEmpty)
    }

    @Test func `fields become the recipe that they say`() throws {
        let members = try PictureFields.recipe(
            Self.fields([
                "turn": "270", "straighten": "-1.5", "crop_left": "10", "crop_top": "20", "crop_width": "95",
                "crop_height": "50", "square": "true", "enhance": "true", "filter": "sepia", "saturation": "0.5",
                "contrast": "1.2", "brightness": "-0.1", "frame": "white",
            ]), over: nil)
        #expect(
            members == [
                "rotate": 268.5, "crop": ["x": 0.1, "y": 0.2, "width": 0.9, "height": 0.5], "square": true,
                "enhance": true, "filter": "sepia", "frame": "white", "saturation": 0.5, "contrast": 1.2,
                "brightness": -0.1,
            ])
    }

    @Test func `what the fields do not know of a recipe stays, also the numbers of a filter that stays`() throws {
        let last = try Self.recipe(
            #"{"filter":{"name":"sepia","intensity":0.3},"fit":800,"rotate":90,"frame":{"name":"black","width":0.1}}"#)
        let fields = Self.fields(["turn": "90", "filter": "sepia", "frame": "black"])
        #expect(try PictureFields.recipe(fields, over: last) == JSONValueObject(last))
        #expect(try PictureFields.recipe(Self.fields(["filter": "greyscale"]), over: last)["filter"] == "greyscale")
        #expect(try PictureFields.recipe(Self.fields([:]), over: last)["fit"] == 800)
    }

    /// The members of a stored recipe.
    private func JSONValueObject(_ recipe: Recipe) -> JSONObject {
        var object = (try? JSONValue(parsing: Array(recipe.json.utf8)))?.object ?? [:]
        object["rotate"] = recipe.rotate.map { .double($0) }
        return object
    }

    @Test func `a change of a recipe takes away what is gone and what another filter does not have`() {
        let patch = PictureFields.patch(
            from: ["rotate": 90, "filter": ["name": "sepia", "intensity": 0.3], "fit": 800],
            to: ["filter": "greyscale", "fit": 800, "enhance": true])
        #expect(
            patch == [
                "rotate": .null, "filter": ["intensity": .null, "name": "greyscale"], "enhance": true,
            ])
    }

    @Test(arguments: [
        ("straighten", "level"), ("crop_left", "-1"), ("crop_width", "101"), ("crop_width", "0"), ("brightness", "2"),
        ("saturation", "-1"), ("filter", "nothing"), ("frame", "gold"), ("turn", "1e9"), ("contrast", "nan"),
        ("crop_left", "100"),
    ])
    func `a field that is out of bounds is refused`(name: String, value: String) {
        #expect(throws: (any Error).self) { try PictureFields.recipe(Self.fields([name: value]), over: nil) }
    }

    @Test func `the fields of a recipe show it`() {
        let recipe = try? Self.recipe(
            #"{"rotate":-92.5,"crop":{"x":0.125,"y":0,"width":0.5,"height":1},"filter":{"name":"vignette","start":0.3,"end":0.75}}"#
        )
        let html = PictureFields(recipe: recipe, say: .english).html.markup
        #expect(html.contains("<option value=\"270\" selected>"))
        #expect(html.contains("name=\"straighten\" min=\"-45\" max=\"45\" step=\"0.5\" value=\"-2.5\""))
        #expect(html.contains("name=\"crop_left\" min=\"0\" max=\"100\" step=\"any\" data-usual=\"0\" value=\"12.5\""))
        #expect(html.contains("<option value=\"vignette\" selected>"))
    }

    // MARK: Pages

    @Test func `a picture is edited by its owner, shown before it is saved, and can be restored`() async throws {
        try await withInProcessPics { pics in
            let code = try await pics.photo("mine")
            var browser = try await pics.browser()
            let path = "/\(code)/picture"
            func recipe() async throws -> JSONValue? { try await pics.json("/v1/photos")["items"]?[0]?["recipe"] }
            func submit(_ changes: [String: String]) async throws -> Browser.Page {
                try await browser.submit(Self.fields(changes), to: path, from: path)
            }

            #expect(try await browser.open("/\(code)").text.contains("href=\"\(path)\""))
            let shown = try await submit(["version": "1", "turn": "90", "filter": "sepia", "preview": "true"])
            #expect(shown.status == 200 && shown.text.contains("\(path)/preview?turn=90&amp;straighten=0"))
            #expect(!shown.text.contains("preview?form_token") && shown.text.contains("<option value=\"90\" selected>"))
            #expect(try await recipe() == .null)
            let preview = try await browser.open("\(path)/preview?turn=90&filter=sepia")
            #expect(preview.status == 200 && preview.fields["Content-Type"] == "image/jpeg")
            #expect(preview.fields["Cache-Control"] == "no-store")

            let saved = try await submit(["version": "1", "turn": "90", "filter": "sepia"])
            #expect(saved.location == "/\(code)?done=picture#tools")
            let kept = try await recipe()
            #expect(kept?["rotate"] == 90 && kept?["filter"]?["name"] == "sepia")
            #expect(try await submit(["version": "1", "turn": "0"]).location == "/\(code)?done=changed#tools")
            #expect(try await submit(["version": "2", "brightness": "7"]).status == 422)
            #expect(try await recipe()?["rotate"] == 90)
            #expect(try await submit(["version": "2"]).location == "/\(code)?done=picture#tools")
            #expect(try await recipe() == .null)
        }
    }

    @Test func `nobody but the owner sees a picture being edited, and no other site`() async throws {
        try await withInProcessPics { pics in
            let code = try await pics.photo("mine")
            var browser = try await pics.browser()
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            var stranger = Browser(pics)

            for path in ["/\(code)/picture", "/\(code)/picture/preview", "/\(code)/events"] {
                #expect(try await bob.open(path).status == 404, "\(path)")
                #expect(try await stranger.open(path).status != 200, "\(path)")
            }
            for path in ["/\(code)/picture/preview", "/\(code)/events"] {
                #expect(try await browser.open(path, with: ["Sec-Fetch-Site": "cross-site"]).status == 403, "\(path)")
            }
            let forged = try await browser.post(Self.fields(["version": "1", "turn": "90"]), to: "/\(code)/picture")
            #expect(forged.status == 403)
            #expect(try await browser.open("/\(code)/picture/preview?turn=x").status == 400)
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["recipe"] == .null)
        }
    }

    @Test func `a file that has arrived is shown as its edits say, to who sent it, until it is a photo`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let bytes = CameraPhoto.jpeg(7)
            let begun = try await browser.submit(["length": "\(bytes.count)"], to: "/new/uploads", from: "/new")
            let id = try #require(try JSONValue(parsing: Array(begun.text.utf8))["upload"]?.string)
            let path = "/new/uploads/\(id)/picture"
            #expect((400..<500).contains(try await browser.open(path).status))
            _ = try await browser.patch(
                "/new/uploads/\(id)", bytes, ["Upload-Offset": "0", "Upload-Complete": "?1"])

            let shown = try await browser.open("\(path)?turn=90&straighten=2")
            #expect(shown.status == 200 && shown.fields["Content-Type"] == "image/jpeg")
            #expect(try await browser.open("\(path)?turn=x").status == 400)
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            #expect((400..<500).contains(try await bob.open(path).status))
            #expect(try await browser.open(path, with: ["Sec-Fetch-Site": "cross-site"]).status == 403)

            var form = MultipartForm()
            form.add("form_token", try await browser.open("/new").formToken ?? "")
            form.add("upload", id)
            form.add("edits", Self.fields(["turn": "90"]).encoded)
            form.add("services", "none")
            #expect(try await browser.post(form, to: "/new").location?.contains("?done=stored#tools") == true)
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["recipe"] == ["rotate": 90])
            #expect((400..<500).contains(try await browser.open(path).status))
        }
    }

    @Test func `a form without a script edits its first photo, and one that cannot be read stores nothing`()
        async throws
    {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            func form(_ changes: [String: String]) async throws -> MultipartForm {
                var form = MultipartForm()
                form.add("form_token", try await browser.open("/new").formToken ?? "")
                for number in 1...2 {
                    form.add("photo", filename: "a.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg(number)))
                }
                form.add("services", "none")
                for pair in Self.fields(changes).pairs { form.add(pair.name, pair.value) }
                return form
            }

            let refused = try await browser.post(try await form(["crop_top": "high"]), to: "/new")
            #expect(refused.status == 422 && refused.text.contains("class=\"notice failed\""))
            #expect(try await pics.json("/v1/photos")["items"] == [])
            #expect(try await browser.post(try await form(["turn": "180"]), to: "/new").status == 303)
            let photo = try #require(try await pics.json("/v1/photos")["items"]?[0])
            #expect(photo["recipe"] == ["rotate": 180])
            let part = try #require(photo["with"]?[0]?.string)
            #expect(try await pics.json("/v1/photos/\(part)")["recipe"] == .null)
        }
    }

    @Test func `each photo of a post has its own edits, as files and as uploads`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            func form(_ edits: [[String: String]]) async throws -> MultipartForm {
                var form = MultipartForm()
                form.add("form_token", try await browser.open("/new").formToken ?? "")
                form.add("services", "none")
                for changes in edits { form.add("edits", Self.fields(changes).encoded) }
                return form
            }
            func recipes() async throws -> [JSONValue] {
                let photo = try #require(try await pics.json("/v1/photos")["items"]?[0])
                var recipes = [photo["recipe"] ?? "none"]
                for id in photo["with"]?.array?.compactMap(\.string) ?? [] {
                    recipes.append(try await pics.json("/v1/photos/\(id)")["recipe"] ?? "none")
                }
                return recipes
            }
            let edits = [["turn": "90"], [:], ["square": "true", "turn": "180"]]
            let expected: [JSONValue] = [["rotate": 90], .null, ["rotate": 180, "square": true]]

            var files = try await form(edits)
            for number in 1...3 {
                files.add("photo", filename: "a.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg(number)))
            }
            #expect(try await browser.post(files, to: "/new").status == 303)
            #expect(try await recipes() == expected)

            var uploads = try await form(edits)
            for number in 4...6 {
                let bytes = CameraPhoto.jpeg(number)
                let begun = try await browser.submit(["length": "\(bytes.count)"], to: "/new/uploads", from: "/new")
                let id = try #require(try JSONValue(parsing: Array(begun.text.utf8))["upload"]?.string)
                _ = try await browser.patch(
                    "/new/uploads/\(id)", bytes, ["Upload-Offset": "0", "Upload-Complete": "?1"])
                uploads.add("upload", id)
            }
            #expect(try await browser.post(uploads, to: "/new").status == 303)
            #expect(try await recipes() == expected)

            var tooMany = try await form(edits)
            tooMany.add("photo", filename: "a.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg(7)))
            #expect(try await browser.post(tooMany, to: "/new").status == 422)
            #expect(try await pics.json("/v1/photos")["items"]?.array?.count == 2)
        }
    }

    // MARK: Posts as they happen

    @Test func `the owner's page is told that posts have changed until none is on its way`() async throws {
        try await withInProcessPics { pics in
            let answer = try await pics.post(CameraPhoto.jpeg(3), caption: "boats", ["services": "file"])
            let code = try #require(try JSONValue(parsing: answer.body)["code"]?.string)
            let browser = try await pics.browser()
            async let stream = {
                var reader = browser
                return try await reader.open("/\(code)/events")
            }()
            try await pics.change("DELETE FROM jobs")
            try await pics.change("UPDATE submissions SET state = 'done', remote_id = '1', updated_at = now()")

            let told = try await stream
            #expect(told.fields["Content-Type"] == "text/event-stream")
            #expect(told.text.contains("event: changed\n") && told.text.hasSuffix("event: ended\ndata:\n\n"))
        }
    }
}
