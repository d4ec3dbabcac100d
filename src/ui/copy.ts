import { toast } from './toast.tsx'

/** Where a page is not served safely there is no clipboard at all. */
const put = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Puts a text that stands on the screen on the clipboard, and says so. @param failed what to do where the browser keeps its clipboard shut */
export const copyText = async (
  text: string,
  said = 'Copied',
  failed = 'The browser did not let us copy. Mark the text and copy it by hand.',
): Promise<void> => {
  if (await put(text)) toast.success(said)
  else toast.error(failed)
}

/** Puts a link that stands nowhere on the screen on the clipboard; where the browser keeps that shut, it is shown to be copied by hand. */
export const copyLink = async (url: string, said = 'The link is copied'): Promise<void> => {
  if (await put(url)) toast.success(said)
  else window.prompt('Copy this link', url)
}
