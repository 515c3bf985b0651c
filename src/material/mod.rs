//! Materials: density, friction of pairs, and the optional parameters of the compliant mode.
