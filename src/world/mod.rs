//! Bodies and materials in use: the plain state that a step changes and a checkpoint saves.
