internal import Crypto

/// The mark of Pics: a frame with hills and a sun in it.
enum Icon {
    private static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">\
        <rect width="64" height="64" rx="14" fill="#1f4f8f"/><circle cx="44" cy="21" r="7" fill="#ffd166"/>\
        <path d="M8 50 25 26 37 42 43 35 56 50Z" fill="#fff" stroke="#fff" stroke-width="4" stroke-linejoin="round"/></svg>
        """

    /// An address that holds the picture itself: it costs no request.
    static let address = "data:image/svg+xml;base64,\(Base64.encode(Array(svg.utf8)))"

    /// The same as a PNG of 32 pixels, for who asks for `/favicon.ico` as ever.
    static let png: [UInt8] = Base64.decode(pngText) ?? []

    private static let pngText = """
        iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAABC1BMVEVHcEweT44eTo8fT48iUYsfTo4eT48eT48fT44eTo4ZTIwe\
        To4eTpAfT44fTo8kVZEfTY8eT44fT48fT44eTo8fT4//////0WboxGstV4whUJDa4u3K1uVFbaLPtW9gdYP3+PthdYMiUI6lnXYv\
        W5f4+vwjUY/p7vTU3elQdqhzkbm4x9uGoML8/P3i6PFjhLEuWIzT3OlPdaemnXf9/f46ZJ3F0eIjUpFGbaIqWJWrvdXv8/ecsc3M\
        1+ZpibRvjrc4Ypvg5/D3+ft+mr49Zp709vnz9vmDiX0qV5QpV5TpxWptjLaPp8exwti0xNohUI+lnXd/mr/O2ObOtG/P2ecoVpMn\
        VZOEiX3Ks3CaQSULAAAAFXRSTlMA8fD0FvPO8v5UFM9VgYIVUoTNg9BLQ74JAAAACXBIWXMAAAsTAAALEwEAmpwYAAABE0lEQVQ4\
        y52T13LCMBBFl2AwDqFHi6kJJY2WQjqQDumBNML/fwmSDOOACjOcB1nyHsvSzF4AACMW9BIBrz9hAGfNJApMi9cDREmAGoZJNHgi\
        ECNawrCuF/zg0wsmSF4eNF/sUmqykAjb+SQlX1QKhSRnQyn8OcLjEju8dq/Zoz9i9W/xDA893MyxSapk2wPxFmcdRMw8z//QFd6Q\
        8a4U9upcwAqdlz/LgnBx69TZMYZf+PM7L1zilMzTBx2r6VnhCl0afGzPCDctFLj/J6RPxToe77tCDWXcHU2F8y2pgDsnE2EXFRwy\
        gTZ1ViVkaVtDcFHTJvRCaEFwVlYBLF30oiyclkf5fdSJdyQcl8THFw/R/WEM66ZZ7TV+WVsAAAAASUVORK5CYII=
        """
}
