import { expect, it } from 'vitest'
import { fileName, isOrnament, lostFilesWords } from './rules.ts'

it.each([
  ['IMG_0412.HEIC', 'jpg', 'IMG_0412.jpg'],
  ['../../etc/passwd', 'pdf', 'passwd.pdf'],
  ['C:\\Users\\ana\\Lawn plan.pdf', 'pdf', 'Lawn plan.pdf'],
  ['in\r\nvoice"<b>.html', 'pdf', 'in voice b.pdf'],
  ['evil\u202efdp.exe', 'pdf', 'evil fdp.pdf'],
  ['', 'jpg', 'Photo.jpg'],
  ['.pdf', 'pdf', 'Document.pdf'],
  ['césped.webp', 'jpg', 'césped.jpg'],
] as const)('%j as %s is called %j', (name, ending, called) => {
  expect(fileName(name, ending)).toBe(called)
})

it('says what was left out and why, each reason once', () => {
  expect(lostFilesWords([])).toBeNull()
  expect(lostFilesWords(['large', 'kind', 'large'])).toBe(
    '2 files of this mail were not kept: larger than 5 MB. A file of this mail was not kept: neither a photo nor a PDF. Ask for what is missing.',
  )
})

it.each([
  [{ mime: 'application/pkcs7-signature', related: false, byteCount: 4000 }, true],
  [{ mime: 'image/png', related: true, byteCount: 4000 }, true],
  [{ mime: 'image/png', related: false, byteCount: 4000 }, false],
  [{ mime: 'image/jpeg', related: true, byteCount: 400_000 }, false],
  [{ mime: 'application/pdf', related: true, byteCount: 4000 }, false],
])('%o is an ornament: %s', (part, is) => {
  expect(isOrnament(part)).toBe(is)
})
