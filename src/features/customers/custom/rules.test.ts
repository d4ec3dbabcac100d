import { describe, expect, it } from 'vitest'
import {
  boundOf,
  type CustomField,
  changedCustom,
  customFilterLabel,
  customHeader,
  customText,
  guessType,
  isHeaderOf,
  readCustomFilters,
  readCustomText,
  writeCustomFilters,
} from './rules.ts'

const field = (type: CustomField['type'], changes: Partial<CustomField> = {}): CustomField => ({
  id: '0192f0c4-0000-7000-8000-000000000001',
  record: 'customer',
  name: 'Pool',
  type,
  choices: [
    { id: '1', name: 'Hunter' },
    { id: '2', name: 'Rain Bird', gone: true },
  ],
  archivedAt: null,
  ...changes,
})

describe('a cell as a value', () => {
  it.each([
    ['text', ' Back gate ', 'Back gate'],
    ['text', 'x'.repeat(301), null],
    ['number', '$1,250.50', 1250.5],
    ['number', '-3', -3],
    ['number', '12 %', 12],
    ['number', '1,2,3', null],
    ['number', '1e5', null],
    ['number', 'many', null],
    ['date', '6/12/2026', '2026-06-12'],
    ['date', '6/12/26', '2026-06-12'],
    ['date', '2026-6-2', '2026-06-02'],
    ['date', '2/30/2026', null],
    ['date', 'soon', null],
    ['yesno', 'Y', true],
    ['yesno', 'no', false],
    ['yesno', 'maybe', null],
    ['choice', 'hunter', '1'],
    ['choice', 'Rain Bird', null],
    ['choice', 'Toro', null],
  ] as const)('%s %j is %j', (type, text, value) => {
    const read = readCustomText(field(type), text)
    expect(read.value).toBe(value)
    expect(read.problem === null).toBe(value !== null)
  })

  it('is written to files as it is read from them', () => {
    const values = [
      ['text', 'Back, gate'],
      ['number', 1234.5],
      ['date', '2026-06-12'],
      ['yesno', false],
      ['choice', '1'],
    ] as const
    for (const [type, value] of values)
      expect(readCustomText(field(type), customText(field(type), value, { file: true })).value).toBe(value)
  })
})

describe('changes of values', () => {
  const fields = [field('number'), field('text', { id: 'b', archivedAt: '2026-01-01' })]
  const id = fields[0]?.id ?? ''
  it('leave what is not named, take away what is null, and refuse what does not fit', () => {
    expect(changedCustom(fields, { b: 'old', [id]: 1 }, { [id]: 2 })).toEqual({
      values: { b: 'old', [id]: 2 },
      problems: [],
    })
    expect(changedCustom(fields, { b: 'old', [id]: 1 }, { [id]: null, b: null }).values).toEqual({})
    expect(changedCustom(fields, {}, { [id]: 'two' }).problems).toEqual([{ id, message: 'This is not a number.' }])
    expect(changedCustom(fields, {}, { b: 'new' }).problems).toHaveLength(1)
    expect(changedCustom(fields, {}, { c: 'new' }).problems).toHaveLength(1)
    expect(changedCustom(fields, {}, { [id]: Number.POSITIVE_INFINITY }).problems).toHaveLength(1)
  })
  it('keep an archived field as it was, also when a form sends it along', () =>
    expect(changedCustom(fields, { b: 'old' }, { b: 'old' }).problems).toEqual([]))
})

describe('filters in an address', () => {
  const { id } = field('text')
  it.each([
    [[{ fieldId: id, op: 'has', value: 'a~b.c & “d”' }]],
    [
      [
        { fieldId: id, op: 'from', value: '2026-06-12' },
        { fieldId: id, op: 'empty', value: '' },
      ],
    ],
  ] as const)('come back as they went: %j', (filters) =>
    expect(readCustomFilters(writeCustomFilters([...filters]))).toEqual(filters),
  )
  it.each(['x.is.1', `${id}.eats.1`, `${id}.from.soon`, `${id}.has.%E0%A4%A`, `${id}.has.%00`])('%s is none', (text) =>
    expect(readCustomFilters(text)).toBeNull(),
  )
  it('compare days by days and numbers by numbers', () => {
    expect(boundOf('1970-01-02')).toBe(1)
    expect(boundOf('-2.5')).toBe(-2.5)
    expect(boundOf('')).toBeNull()
  })
  it('are named', () => {
    expect(customFilterLabel(field('choice'), { fieldId: id, op: 'is', value: '1' })).toBe('Pool: Hunter')
    expect(customFilterLabel(field('date'), { fieldId: id, op: 'to', value: '2026-06-12' })).toBe(
      'Pool to Fri, Jun 12, 2026',
    )
    expect(customFilterLabel(field('yesno'), { fieldId: id, op: 'is', value: 'true' })).toBe('Pool: Yes')
  })
})

it('heads a column of a file so that it is not taken for another one', () => {
  expect(customHeader({ name: 'Notes' }, ['Name', 'notes'])).toBe('Notes (custom)')
  expect(isHeaderOf({ name: 'Notes' }, 'Notes', true)).toBe(false)
  expect(isHeaderOf({ name: 'Notes' }, 'notes (Custom)', true)).toBe(true)
  expect(isHeaderOf({ name: 'Pool' }, 'POOL', false)).toBe(true)
})

it.each([
  [['Yes', 'no'], 'yesno'],
  [['6/12/2026'], 'date'],
  [['1', '2.5'], 'number'],
  [['Hunter', '2'], 'text'],
  [[], 'text'],
] as const)('guesses what %j is', (samples, type) => expect(guessType([...samples])).toBe(type))
