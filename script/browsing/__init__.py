"""The parts of script/browse."""
