import { type AsyncZippable, zip } from 'fflate'

/**
 * Files as one ZIP archive, deflated in threads of their own.
 * @throws Error when it would need the 64-bit form: more than 4 GB
 */
export const zipOf = (files: readonly { name: string; content: Buffer }[], at: Date): Promise<Buffer> => {
  // The format keeps the time of day without a zone; ours is UTC, whatever the machine says.
  const mtime = new Date(at.getTime() + at.getTimezoneOffset() * 60_000)
  if (files.reduce((sum, file) => sum + file.content.length, 0) > 0xffff_ffff)
    throw new Error('This is too much for one archive.')
  const content: AsyncZippable = {}
  for (const file of files) content[file.name] = [file.content, { mtime }]
  return new Promise((done, fail) =>
    zip(content, { level: 6 }, (error, bytes) => (error ? fail(error) : done(Buffer.from(bytes)))),
  )
}
