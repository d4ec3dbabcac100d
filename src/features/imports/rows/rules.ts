import { unescapeCell } from '../../../shared/csv.ts'
import { squareFeetPerAcre } from '../../../shared/numbers.ts'
import { readPhone } from '../../../shared/phone.ts'
import { stateCode } from '../../../shared/states.ts'
import { type CustomField, type CustomValue, readCustomText } from '../../customers/custom/rules.ts'
import { type ColumnField, customColumn, type ImportField, importFields, type Mapping } from '../rules.ts'

/** A row as customer and property, cleaned. */
export type ImportValues = {
  name: string
  company: string | null
  email: string | null
  /** E.164. */
  phone: string | null
  street: string
  unit: string
  city: string
  state: string
  zip: string
  latitude: number | null
  longitude: number | null
  lawnSquareFeet: number | null
  mowHeightInches: number | null
  gateCode: string | null
  dog: string
  parking: string
  noGo: string
  propertyNotes: string
  tags: string[]
  notes: string
  stage: 'lead' | 'active' | 'past'
  type: 'residential' | 'commercial'
  billingStreet: string | null
  billingCity: string | null
  billingState: string | null
  billingZip: string | null
  /** What the program that it comes from calls the customer. */
  externalId: string | null
  isArchived: boolean
  /** Custom fields by their id, of the customer and of the property. */
  custom: Record<string, CustomValue>
  propertyCustom: Record<string, CustomValue>
}

/** What a row without a street says; who is there already needs none. */
export const noStreet = 'The street is empty.'

export type RowProblem = { field: ColumnField; message: string }

// Longer than anything that fits: what is cut off is refused for its length anyway.
const maxCell = 5000
const nothing = /^(n\/?a|none|null|undefined|nil|-+|\.)$/i

/** "1.234,50" and "45,50" as they are written here; what could be either is left as it stands. */
export const withPoint = (text: string): string =>
  text.replace(
    /(?<![\d.,])(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2})(?![\d.,])/,
    (_, whole: string, rest: string) => `${whole.replaceAll('.', '')}.${rest}`,
  )

const numberOf = (written: string): number | null => {
  const text = withPoint(written.trim())
  const match = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$|^[-+]?\d*\.?\d+$/.exec(text)
  return match ? Number(text.replaceAll(',', '')) : null
}

const maxLengths: Partial<Record<ImportField, number>> = {
  name: 120,
  company: 120,
  street: 200,
  unit: 60,
  city: 100,
  zip: 12,
  gateCode: 60,
  dog: 300,
  parking: 300,
  noGo: 500,
  propertyNotes: 4000,
  notes: 4000,
  billingStreet: 200,
  billingCity: 100,
  billingZip: 12,
}

/** Spreadsheets eat the leading zeros: "2139" is 02139 in New England, "601" is 00601 in Puerto Rico. No ZIP code begins below 005, so "361" stays as it is. */
const zipOf = (text: string): string => {
  const plain = text.replace(/\.0+$/, '')
  return /^\d{3,4}$/.test(plain) && Number(plain) > 500 ? plain.padStart(5, '0') : plain
}

const splitAddress = (text: string): { street: string; city: string; state: string; zip: string } => {
  const parts = text
    .replace(/[\r\n]+/g, ', ')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(usa|united states( of america)?)$/i.test(part))
  const tail = /^(?:(.*?)\s+)?([A-Za-z]{2})\.?\s*(\d{5}(?:-\d{4})?)?$/.exec(parts.at(-1) ?? '')
  if (parts.length < 2 || !tail) return { street: text.trim(), city: '', state: '', zip: '' }
  const city = tail[1] ?? (parts.length > 2 ? (parts.at(-2) ?? '') : '')
  const street = parts.slice(0, tail[1] || parts.length < 3 ? -1 : -2).join(', ')
  return { street, city, state: (tail[2] ?? '').toUpperCase(), zip: tail[3] ?? '' }
}

const phoneOf = (text: string): string | null =>
  text.length > 60 ? null : readPhone(text.replace(/\s*(x|ext\.?|extension)\s*\d+$/i, ''))

// Enough to catch a slip; the mail provider has the last word.
const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@"<>(),;:]+@[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(text)

/** What a customer can do without: a cell that cannot be read costs the cell, not the customer. */
const spare: ReadonlySet<ImportField> = new Set([
  'email',
  'phone',
  'lawnSquareFeet',
  'lawnAcres',
  'mowHeight',
  'latitude',
  'longitude',
])

const isSpare = (field: ColumnField): boolean => spare.has(field as ImportField)

/**
 * Reads one row of a file.
 * @returns its values; what keeps it from being imported; and what is left out of it, which its notes keep word for word
 */
export const readRow = (
  cells: readonly string[],
  mapping: Mapping,
  fields: readonly CustomField[] = [],
): { values: ImportValues; problems: RowProblem[]; leftOut: RowProblem[] } => {
  const problems: RowProblem[] = []
  const all = (field: ImportField): string[] =>
    mapping.flatMap((f, i) => {
      const text = f === field ? unescapeCell((cells[i] ?? '').slice(0, maxCell).trim()).normalize('NFC') : ''
      return text === '' || nothing.test(text) ? [] : [text]
    })
  const one = (field: ImportField): string => all(field)[0] ?? ''
  const capped = (field: ImportField, text: string): string => {
    const max = maxLengths[field]
    if (max !== undefined && text.length > max)
      problems.push({ field, message: `${importFields[field].label} has ${text.length} characters; ${max} fit.` })
    return text
  }
  const text = (field: ImportField): string => capped(field, one(field))
  const number = (field: ImportField, min: number, max: number): number | null => {
    const raw = one(field)
    if (raw === '') return null
    const value = numberOf(raw)
    if (value !== null && value >= min && value <= max) return value
    problems.push({
      field,
      message:
        value === null
          ? `${importFields[field].label} "${raw}" is not a number.`
          : `${importFields[field].label} ${raw} is not between ${min} and ${max}.`,
    })
    return null
  }

  const state = (field: 'state' | 'billingState', raw: string): string | null => {
    const code = raw === '' ? null : stateCode(raw)
    if (raw !== '' && code === null)
      problems.push({ field, message: `${importFields[field].label} "${raw}" is not a state of the United States.` })
    return code
  }

  const company = text('company') || null
  const name = one('name') || [one('firstName'), one('lastName')].filter(Boolean).join(' ') || company || ''
  if (name === '') problems.push({ field: 'name', message: 'No name.' })
  capped('name', name)

  // a billing address in one cell: the place of the work where that has a cell of its own which is empty
  const billing = mapping.some((field) => field === 'billingCity' || field === 'billingZip')
    ? { street: one('billingStreet'), city: '', state: '', zip: '' }
    : splitAddress(one('billingStreet'))
  const placeCell = one('address') || (mapping.includes('address') && one('street') === '' ? one('billingStreet') : '')
  const whole = splitAddress(placeCell)
  // what other programs write into both columns is one address
  const isSame =
    billing.zip !== '' &&
    placeCell !== '' &&
    JSON.stringify(billing).toLowerCase() === JSON.stringify(whole).toLowerCase()
  const street = capped('street', one('street') || whole.street)
  if (street === '') problems.push({ field: 'street', message: noStreet })

  const emails = all('email').flatMap((t) =>
    t
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  )
  const addresses = emails.filter(isEmail)
  for (const bad of emails.filter((e) => !isEmail(e)))
    problems.push({ field: 'email', message: `"${bad}" is not an e-mail address.` })
  const phones = all('phone').flatMap((t) =>
    t
      .split(/[;,/|]|\s+or\s+|\b(?:phone|mobile|cell|home|work|main|office|other)\s*:/i)
      .map((p) => p.trim())
      .filter(Boolean),
  )
  const numbers = phones.map(phoneOf)
  for (const [i, phone] of phones.entries())
    if (numbers[i] === null)
      problems.push({ field: 'phone', message: `"${phone}" is not a phone number with ten digits.` })

  let latitude = number('latitude', -90, 90)
  let longitude = number('longitude', -180, 180)
  const halfPin = (one('latitude') === '') !== (one('longitude') === '')
  if (halfPin)
    problems.push({
      field: 'latitude',
      message: `A pin needs both latitude and longitude; ${one('latitude') || one('longitude')} stands alone.`,
    })
  // Other programs write 0, 0 for "not found".
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) latitude = longitude = null

  const readable = phones.filter((_, i) => numbers[i] !== null)
  const lawnSquareFeet = lawnSize(one('lawnSquareFeet'), one('lawnAcres'), problems)
  const mowHeightInches = mowHeight(one('mowHeight'), problems)
  const custom = readCustom(cells, mapping, fields)
  const leftOut = [...problems.filter(({ field }) => isSpare(field)), ...custom.problems]
  const others = [
    ...(addresses.length > 1 ? [`Other e-mail: ${addresses.slice(1).join(', ')}`] : []),
    ...(readable.length > 1 ? [`Other phone: ${readable.slice(1).join(', ')}`] : []),
  ]
  const notes = capped('notes', [...all('notes'), ...others].join('\n'))
  // What was left out is told as far as the notes have room for it; it never costs the customer.
  const told = leftOut.reduce((text, { message }) => {
    const more = `${text}${text && '\n'}Left out at the import: ${message}`
    return more.length > (maxLengths.notes ?? 0) ? text : more
  }, notes)
  const stage = one('stage').toLowerCase()
  const values: ImportValues = {
    name,
    company: company === name ? null : company,
    email: addresses[0] ?? null,
    phone: numbers.find((phone) => phone !== null) ?? null,
    street,
    unit: text('unit'),
    city: capped('city', one('city') || whole.city),
    state: state('state', one('state') || whole.state) ?? '',
    zip: capped('zip', zipOf(one('zip') || whole.zip)),
    latitude,
    longitude,
    lawnSquareFeet,
    mowHeightInches,
    gateCode: text('gateCode') || null,
    dog: text('dog'),
    parking: text('parking'),
    noGo: text('noGo'),
    propertyNotes: capped('propertyNotes', all('propertyNotes').join('\n')),
    tags: [
      ...new Set(
        all('tags').flatMap((t) =>
          t
            .split(/[;,|]/)
            .map((tag) => tag.trim())
            .filter(Boolean),
        ),
      ),
    ],
    notes: told,
    externalId: one('externalId').slice(0, 150) || null,
    custom: custom.customer,
    propertyCustom: custom.property,
    isArchived: /^(y|yes|true|1|archived)$/i.test(one('archived')),
    stage: /^(lead|prospect|estimate)/.test(stage)
      ? 'lead'
      : /^(past|inactive|former|cancel|archived)/.test(stage)
        ? 'past'
        : 'active',
    type: /^(commercial|business|hoa)/i.test(one('type')) ? 'commercial' : 'residential',
    billingStreet: isSame ? null : capped('billingStreet', billing.street) || null,
    billingCity: isSame ? null : capped('billingCity', one('billingCity') || billing.city) || null,
    billingState: isSame ? null : state('billingState', one('billingState') || billing.state),
    billingZip: isSame ? null : capped('billingZip', zipOf(one('billingZip') || billing.zip)) || null,
  }
  if (values.tags.length > 30 || values.tags.some((tag) => tag.length > 40))
    problems.push({ field: 'tags', message: 'A customer can have 30 tags of 40 characters.' })
  return { values, problems: problems.filter(({ field }) => !isSpare(field)), leftOut }
}

/** The custom fields that columns of a row hold. What does not fit is left out and named. */
const readCustom = (cells: readonly string[], mapping: Mapping, fields: readonly CustomField[]) => {
  const read: Record<CustomField['record'], Record<string, CustomValue>> = { customer: {}, property: {} }
  const problems: RowProblem[] = []
  for (const field of fields) {
    const at = mapping.indexOf(customColumn(field.id))
    if (at < 0) continue
    const text = unescapeCell((cells[at] ?? '').slice(0, maxCell).trim())
    const { value, problem } = readCustomText(field, nothing.test(text) ? '' : text)
    if (problem) problems.push({ field: customColumn(field.id), message: problem })
    if (value !== null) read[field.record][field.id] = value
  }
  return { ...read, problems }
}

const lawnSize = (feet: string, acres: string, problems: RowProblem[]): number | null => {
  const field = feet === '' ? 'lawnAcres' : 'lawnSquareFeet'
  const raw = feet || acres
  if (raw === '') return null
  const match = /^([\d.,]+)\s*(k)?\s*(sq\.?\s*(ft|feet)\.?|square\s*feet|sf|ft2|ft²|acres?|ac\.?)?$/i.exec(raw)
  const inAcres = field === 'lawnAcres' ? !/^(s|f)/i.test(match?.[3] ?? '') : /^ac/i.test(match?.[3] ?? '')
  // nobody measures a thousandth of a square foot: "7.200" is 7,200 as Europe writes it
  const isGrouped = !inAcres && !match?.[2] && /^\d{1,3}(\.\d{3})+$/.test(match?.[1] ?? '')
  const value = match ? numberOf(isGrouped ? (match[1] ?? '').replaceAll('.', '') : (match[1] ?? '')) : null
  const squareFeet =
    value === null ? Number.NaN : Math.round(value * (match?.[2] ? 1000 : 1) * (inAcres ? squareFeetPerAcre : 1))
  if (squareFeet >= 0 && squareFeet <= 50_000_000) return squareFeet
  problems.push({ field, message: `Lawn size "${raw}" is not a number of square feet.` })
  return null
}

const mowHeight = (raw: string, problems: RowProblem[]): number | null => {
  if (raw === '') return null
  const value = numberOf(raw.replace(/\s*(in(ch(es)?)?\.?|"|”)$/i, ''))
  if (value !== null && value >= 0.5 && value <= 8) return value
  problems.push({ field: 'mowHeight', message: `Mow height "${raw}" is not between 0.5 and 8 inches.` })
  return null
}

/** Why a row is taken for somebody who is there already. */
export const duplicateReason = (duplicate: {
  name: string
  street: string | null
  archived: boolean
  matches: readonly ('email' | 'phone' | 'address')[]
}): RowProblem => {
  const message = { email: 'e-mail', phone: 'phone', address: 'address' } as const
  const same = duplicate.matches.map((how) => message[how]).join(' and ')
  const where = duplicate.street ? `, ${duplicate.street}` : ''
  return {
    field: duplicate.matches[0] === 'address' ? 'street' : (duplicate.matches[0] ?? 'name'),
    message: `Same ${same} as ${duplicate.name}${where}${duplicate.archived ? ' (archived)' : ''}.`,
  }
}
