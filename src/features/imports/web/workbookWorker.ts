import { NoWorkbook, workbookText } from './workbook.ts'

/** Reads a workbook beside the page, so that a large one does not hold it up and a broken one takes only this with it. */
self.addEventListener('message', async ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  try {
    self.postMessage({ text: await workbookText(data) })
  } catch (error) {
    self.postMessage({ problem: error instanceof NoWorkbook ? error.message : '' })
  }
})
