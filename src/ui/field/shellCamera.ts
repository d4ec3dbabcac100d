import { askShell, shellHas, shellSystem } from '../../shared/shell.ts'

/** Longest edge that the phone hands over: a large sensor's whole picture does not fit into the memory that a page has on a cheap phone. */
const longestEdge = 2400
const canceled = 'OS-PLUG-CAMR-0006'

/** Android's shell alone: there the page may read the picture. On iOS the file field opens the same camera. */
export const hasShellCamera = (): boolean => shellHas('Camera') && shellSystem() === 'android'

/** @returns null when the person went back without a picture */
export const takeShellPhoto = async (): Promise<File | null> => {
  try {
    const wish = { quality: 90, targetWidth: longestEdge, targetHeight: longestEdge, correctOrientation: true }
    const { webPath } = await askShell('Camera', 'takePhoto', wish)
    if (!webPath) throw new Error('The camera handed over no picture.')
    const answer = await fetch(webPath)
    if (!answer.ok) throw new Error(`The picture could not be read: ${answer.status}.`)
    const blob = await answer.blob()
    return new File([blob], 'photo.jpg', { type: blob.type || 'image/jpeg', lastModified: Date.now() })
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === canceled) return null
    throw error
  }
}
