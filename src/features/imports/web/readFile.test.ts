import { describe, expect, it } from 'vitest'
import { decodeList, NotAList } from './readFile.ts'

describe('the text of a chosen file', () => {
  it.each([
    ['UTF-8', new TextEncoder().encode('Nguyễn,1 Oak St'), 'Nguyễn,1 Oak St'],
    ['UTF-8 with its mark', Uint8Array.from([0xef, 0xbb, 0xbf, 0x41]), 'A'],
    ['Latin-1', Uint8Array.from([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72]), 'Müller'],
    ['Windows quotes', Uint8Array.from([0x4f, 0x92, 0x4e]), 'O’N'],
    ['UTF-16 of Excel', Uint8Array.from([0xff, 0xfe, 0x41, 0x00, 0xc5, 0x1e]), 'A\u1EC5'],
  ])('reads %s', (_, bytes, text) => expect(decodeList(bytes)).toBe(text))

  it.each([
    ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0], 'Excel'],
    ['a PDF', [0x25, 0x50, 0x44, 0x46], 'PDF'],
  ])('says what to do with %s', (_, bytes, word) => {
    expect(() => decodeList(Uint8Array.from(bytes))).toThrow(NotAList)
    expect(() => decodeList(Uint8Array.from(bytes))).toThrow(word)
  })
})
