/// The mark of Pics: a frame with hills and a sun in it.
enum Icon {
    static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
        <rect width="64" height="64" rx="14" fill="#1f4f8f"/>
        <circle cx="44" cy="21" r="7" fill="#ffd166"/>
        <path d="M8 50 25 26 37 42 43 35 56 50Z" fill="#fff" stroke="#fff" stroke-width="4" stroke-linejoin="round"/>
        </svg>

        """
}
