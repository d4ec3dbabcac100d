import { afterEach, expect, it, vi } from 'vitest'
import { copyLink, copyText } from './copy.ts'
import { toast } from './toast.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('says what is copied', async () => {
  const writeText = vi.fn(async () => {})
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  const success = vi.spyOn(toast, 'success')
  await copyText('a text')
  await copyLink('https://example.com/', 'The link is copied. It is good for 14 days')
  expect(writeText.mock.calls).toEqual([['a text'], ['https://example.com/']])
  expect(success.mock.calls).toEqual([['Copied'], ['The link is copied. It is good for 14 days']])
})

it.each([
  ['a browser that refuses', { clipboard: { writeText: () => Promise.reject(new Error('no')) } }],
  ['a page that is not served safely', {}],
])('gives the text all the same in %s', async (_, navigator) => {
  vi.stubGlobal('navigator', navigator)
  const error = vi.spyOn(toast, 'error')
  const prompt = vi.fn()
  vi.stubGlobal('prompt', prompt)
  await copyText('a text')
  expect(error).toHaveBeenCalledWith('The browser did not let us copy. Mark the text and copy it by hand.')
  await copyLink('https://example.com/')
  expect(prompt).toHaveBeenCalledWith('Copy this link', 'https://example.com/')
})
