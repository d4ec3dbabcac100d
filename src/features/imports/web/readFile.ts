/** Why a file cannot be read as a list, for the person who chose it. */
export class NotAList extends Error {}

const starts = (bytes: Uint8Array, ...mark: number[]): boolean => mark.every((byte, i) => bytes[i] === byte)

/**
 * The text of a list in whichever encoding a spreadsheet wrote it: UTF-8, UTF-16 with its mark, else Windows-1252 (Latin-1).
 * @throws NotAList for an old workbook or a PDF, with what to do
 */
export const decodeList = (bytes: Uint8Array): string => {
  if (starts(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw new NotAList(
      'This is an Excel workbook of before 2007. Open it, choose Save as, Excel Workbook, and bring that file.',
    )
  if (starts(bytes, 0x25, 0x50, 0x44, 0x46))
    throw new NotAList('This is a PDF. Export the list as CSV from your other program and bring that file.')
  if (starts(bytes, 0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  if (starts(bytes, 0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export const isWorkbook = (bytes: Uint8Array): boolean => starts(bytes, 0x50, 0x4b, 0x03, 0x04)

/** The longest that a workbook is read. */
const patienceMs = 120_000

const readWorkbook = (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  new Promise((done, fail) => {
    const worker = new Worker(new URL('./workbookWorker.ts', import.meta.url), { type: 'module' })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      worker.terminate()
      settle()
    }
    const refuse = (problem: string) =>
      end(() =>
        fail(new NotAList(problem || 'We could not read this workbook. Save the sheet as CSV and bring that file.')),
      )
    const timer = setTimeout(
      () => refuse('This workbook takes too long. Save the sheet as CSV and bring that file.'),
      patienceMs,
    )
    worker.addEventListener('message', ({ data }: MessageEvent<{ text?: string; problem?: string }>) =>
      data.text === undefined ? refuse(data.problem ?? '') : end(() => done(data.text ?? '')),
    )
    worker.addEventListener('error', () => refuse(''))
    worker.postMessage(bytes, [bytes.buffer])
  })

/** The text of a chosen file, a workbook's first sheet included. @throws NotAList with what to do */
export const readList = (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  isWorkbook(bytes) ? readWorkbook(bytes) : Promise.resolve(decodeList(bytes))
