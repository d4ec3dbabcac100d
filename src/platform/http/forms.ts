import { type FormFile, formWasTooLarge } from '../../shared/endpoint.ts'
import { AppError } from '../../shared/errors.ts'

/** Of a form that is too large so much is looked at: its words stand before its files. */
const lookedAt = 128 * 1024
/** So many times the largest form is heard to its end, so that a browser gets the answer instead of a line that breaks. */
const heardToTheEnd = 4

type Pieces = AsyncIterable<Buffer>

const hear = async (payload: Pieces, mostBytes: number): Promise<{ bytes: Buffer; isTooLarge: boolean }> => {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of payload) {
    size += piece.byteLength
    if (size > mostBytes * heardToTheEnd)
      throw new AppError('payload_too_large', 'This form is far too large. Nothing was changed.')
    if (size <= mostBytes || size - piece.byteLength < lookedAt) pieces.push(piece)
  }
  return { bytes: Buffer.concat(pieces), isTooLarge: size > mostBytes }
}

/** Hears a form of which nothing is wanted. @throws AppError payload_too_large */
export const skipForm = async (payload: Pieces, mostBytes: number): Promise<Record<string, never>> => {
  const { isTooLarge } = await hear(payload, mostBytes)
  if (isTooLarge) throw new AppError('payload_too_large', 'This form is too large. Nothing was changed.')
  return {}
}

/** A form as far as it came, ended after its last whole part. */
const endedEarly = (bytes: Buffer, contentType: string): Buffer | null => {
  const found = /boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(contentType)
  const boundary = `\r\n--${found?.[1] ?? found?.[2]}`
  const last = bytes.lastIndexOf(boundary)
  return last < 0 ? null : Buffer.concat([bytes.subarray(0, last), Buffer.from(`${boundary}--\r\n`)])
}

/**
 * Reads a form with files: its words as text, its files as a list by the name of their field. Of one that is larger than `mostBytes` only the words
 * come, with `formWasTooLarge` among them, so that a page can show them again.
 * @throws AppError payload_too_large for what is many times too large, bad_request for what is no form
 */
export const readForm = async (
  payload: Pieces,
  contentType: string,
  mostBytes: number,
): Promise<Record<string, string | FormFile[]>> => {
  const { bytes, isTooLarge } = await hear(payload, mostBytes)
  const words = new Map<string, string>(isTooLarge ? [[formWasTooLarge, '1']] : [])
  const files = new Map<string, FormFile[]>()
  const readable = isTooLarge ? endedEarly(bytes.subarray(0, lookedAt), contentType) : bytes
  if (readable) {
    const form = await new Response(new Uint8Array(readable), { headers: { 'content-type': contentType } })
      .formData()
      .catch((cause) => {
        throw new AppError('bad_request', 'This form came in pieces. Nothing was changed; please send it again.', {
          cause,
        })
      })
    for (const [name, value] of form)
      if (typeof value === 'string') words.set(name, value)
      // a field in which nothing was chosen comes as one file without a name
      else if (value.name !== '' || value.size > 0)
        files.set(name, [
          ...(files.get(name) ?? []),
          { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) },
        ])
  }
  return Object.fromEntries<string | FormFile[]>([...files, ...words])
}
