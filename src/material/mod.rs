//! Materials: density and friction, and what two materials in contact do to each other.

mod table;

pub use table::Friction;
pub use table::Material;
pub use table::MaterialId;
pub use table::Materials;
