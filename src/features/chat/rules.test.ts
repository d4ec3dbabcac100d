import { expect, test } from 'vitest'
import { excerpt, isSendable, mostCharacters, mostPhotos, type ThreadFacts, threadRefusals, tidyText } from './rules.ts'

const facts = (changes: Partial<ThreadFacts> = {}): ThreadFacts => ({
  kind: 'person',
  name: 'Luis Ortega',
  gone: false,
  joinedOffice: false,
  byOffice: true,
  onCrew: false,
  ...changes,
})

test.each([
  ['the office to a person', {}, null],
  ['the office to everybody', { kind: 'everybody' }, null],
  ['the office to a crew', { kind: 'crew' }, null],
  ['the office to who left', { gone: true }, /does not work here any more/],
  ['the office to who came there', { joinedOffice: true }, /works in the office now/],
  ['the office to a crew that was put away', { kind: 'crew', gone: true }, /put away/],
  ['a person to the office', { byOffice: false }, null],
  ['a person to their crew', { kind: 'crew', byOffice: false, onCrew: true }, null],
  ['a person to a crew they left', { kind: 'crew', byOffice: false }, /not on Luis Ortega today/],
  ['a person to everybody', { kind: 'everybody', byOffice: false }, /Only the office/],
] as const)('%s writes, or hears why not', (_, changes, refusal) => {
  const answer = threadRefusals.write(facts(changes))
  if (refusal === null) expect(answer).toBeNull()
  else expect(answer).toMatch(refusal)
})

test.each([
  ['', 0, false],
  [' \n ', 0, false],
  ['x', 0, true],
  ['', 1, true],
  ['', mostPhotos + 1, false],
  [` ${'x'.repeat(mostCharacters)} `, 0, true],
  ['x'.repeat(mostCharacters + 1), 0, false],
])('%j with %i photos can be sent: %s', (text, photoCount, answer) =>
  expect(isSendable({ text, photoCount })).toBe(answer),
)

test('a text keeps its lines and loses its edges', () => expect(tidyText(' a\r\nb \r c ')).toBe('a\nb \n c'))

test.each([
  ['Gate\n is  locked', 0, 'Gate is locked'],
  ['', 1, 'Photo'],
  ['', 3, '3 photos'],
  ['abcdef', 0, 'abcd…'],
])('%j is shown in one line as %s', (text, photos, line) =>
  expect(excerpt(text, photos, text === 'abcdef' ? 5 : 140)).toBe(line),
)
