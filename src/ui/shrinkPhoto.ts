const longestEdge = 1600
const quality = 0.8

/**
 * A photo as it is sent: at most 1600 pixels, JPEG, without what the camera wrote into it. A picture that this browser cannot decode goes as it
 * is; the server says what it takes.
 */
export const shrinkPhoto = async (file: Blob): Promise<Blob> => {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, longestEdge / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    bitmap.close()
    const made = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality))
    return made ?? file
  } catch {
    return file
  }
}
