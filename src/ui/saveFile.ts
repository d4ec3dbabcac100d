/** Hands a file to the browser, which asks or saves as it is set up to. */
export const saveFile = (blob: Blob, name: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // not at once: some browsers read the address only after the click has returned
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
