//! Whole files in `.xz`.

use std::io::{self, Read};

use liblzma::read::{XzDecoder, XzEncoder};

/// The slowest and smallest.
const LEVEL: u32 = 9;

/// The bytes compressed; the same bytes give the same file.
///
/// # Errors
/// When the encoder fails.
pub fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressed = Vec::new();
    XzEncoder::new(bytes, LEVEL).read_to_end(&mut compressed)?;
    Ok(compressed)
}

/// The bytes of a compressed file.
///
/// # Errors
/// When it is none, or cut short.
pub fn decompress(compressed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    XzDecoder::new(compressed).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_a_cut_file_is_an_error() {
        let bytes = b"1,2,3\n".repeat(1000);
        let compressed = compress(&bytes).unwrap();
        assert!(compressed.len() < 200, "{}", compressed.len());
        assert_eq!(decompress(&compressed).unwrap(), bytes);
        assert_eq!(compress(&bytes).unwrap(), compressed);
        assert!(decompress(&compressed[..compressed.len() - 9]).is_err());
        assert!(decompress(b"no archive").is_err());
    }
}
