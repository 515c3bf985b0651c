//! Shapes of bodies and walls, in their own frame, and their mass properties.
