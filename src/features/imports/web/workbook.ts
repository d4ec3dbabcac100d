import { unzipSync } from 'fflate'
import Papa from 'papaparse'
import { readSheet } from 'read-excel-file/web-worker'

/** What a workbook may unpack to: a small file can hold gigabytes. */
const mostUnpackedBytes = 300 * 1024 * 1024

/** Why a workbook cannot be read, for the person who chose it. */
export class NoWorkbook extends Error {}

const unpackedBytes = (bytes: Uint8Array): number => {
  let total = 0
  unzipSync(bytes, {
    filter: ({ originalSize }) => {
      total += originalSize
      return false
    },
  })
  return total
}

const two = (part: number): string => String(part).padStart(2, '0')

/** A cell as text; days as 2026-03-02, because a workbook keeps them without a zone. */
export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date)
    return Number.isNaN(value.getTime())
      ? ''
      : `${value.getUTCFullYear()}-${two(value.getUTCMonth() + 1)}-${two(value.getUTCDate())}`
  return String(value)
}

/**
 * The first sheet of a workbook as CSV.
 * @throws NoWorkbook for what is none, or unpacks to more than is read
 */
export const workbookText = async (bytes: Uint8Array<ArrayBuffer>, most = mostUnpackedBytes): Promise<string> => {
  try {
    if (unpackedBytes(bytes) > most)
      throw new NoWorkbook('This workbook is too large once it is unpacked. Save the sheet as CSV and bring that file.')
    const rows = await readSheet(bytes.buffer, { trim: false })
    return Papa.unparse(rows.map((row) => row.map(cellText)))
  } catch (error) {
    if (error instanceof NoWorkbook) throw error
    throw new NoWorkbook(
      'We could not read this workbook. Nothing was saved; save the sheet as CSV and bring that file.',
    )
  }
}
