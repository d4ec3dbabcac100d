import { expect, it } from 'vitest'
import { lostPhotoWords, notKeptWords, segmentsOf, wordsInstead } from './rules.ts'

it.each([
  [[], '', null],
  [['image/jpeg'], '(A photo)', 'A photo came with it and cannot be shown here: ask for it by e-mail, or as a photo.'],
  [['image/jpeg', 'image/png'], '(2 photos)', undefined],
  [['image/jpeg', 'video/mp4', 'image/gif'], '(2 photos and a video)', undefined],
  [['text/vcard', 'video/3gpp', 'application/pdf'], '(A contact card, a video and a PDF)', undefined],
  [['application/x-nothing'], '(A file)', undefined],
])('%j without words is %s', (mimes, words, sentence) => {
  expect(wordsInstead(mimes)).toBe(words)
  if (sentence !== undefined) expect(notKeptWords(mimes)).toBe(sentence)
})

it('says of photos that are not there that they came', () => {
  expect(lostPhotoWords(1, 'it is too large')).toBe(
    'A photo came with it and is not here: it is too large. Ask them to send it again.',
  )
  expect(lostPhotoWords(2, 'they cannot be read')).toContain('2 photos came with it and are not here')
})

it.each([
  ['Hi', 0, 1],
  ['x'.repeat(200), 0, 2],
  ['Hi', 1, 3],
  ['x'.repeat(160), 3, 3],
])('%s with %i photos counts as %i', (text, photos, segments) => expect(segmentsOf(text, photos)).toBe(segments))
