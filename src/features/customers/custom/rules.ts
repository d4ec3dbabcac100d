import { formatDay, isDay } from '../../../shared/dates.ts'

/** Fields that a business adds to its customers and properties. */
export const customRecords = ['customer', 'property'] as const
export type CustomRecord = (typeof customRecords)[number]
export const customTypes = ['text', 'number', 'date', 'yesno', 'choice'] as const
export type CustomType = (typeof customTypes)[number]

export const customTypeLabels: Readonly<Record<CustomType, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  yesno: 'Yes or no',
  choice: 'Choice list',
}

/** How many fields a business may have of customers, and as many of properties; archived ones do not count. */
export const mostCustomFields = 30
export const mostChoices = 50
export const longestName = 40
export const longestText = 300
const mostNumber = 1_000_000_000_000

/** What can be chosen. `gone`: taken off the list, shown where it was chosen before. */
export type Choice = { id: string; name: string; gone?: boolean | undefined }
export type CustomField = {
  id: string
  record: CustomRecord
  name: string
  type: CustomType
  choices: readonly Choice[]
  archivedAt: string | null
}
export type CustomValue = string | number | boolean
/** Values by the id of their field. */
export type CustomValues = Readonly<Record<string, CustomValue>>

/** Why a value does not fit its field, or null. Choices are named by their id. */
export const customProblem = (field: CustomField, value: CustomValue): string | null => {
  if (field.archivedAt !== null) return `The field "${field.name}" is archived. Leave it as it is.`
  if (field.type === 'text')
    return typeof value !== 'string' || value.trim() === ''
      ? 'Write some text, or leave it empty.'
      : value.length > longestText
        ? `At most ${longestText} characters.`
        : null
  if (field.type === 'number')
    return typeof value !== 'number' || !Number.isFinite(value)
      ? 'This is not a number.'
      : Math.abs(value) > mostNumber
        ? 'This number is too large.'
        : null
  if (field.type === 'date')
    return typeof value === 'string' && isDay(value) ? null : 'This is not a day. Write it as 6/12/2026.'
  if (field.type === 'yesno') return typeof value === 'boolean' ? null : 'Choose yes or no.'
  return field.choices.some(({ id, gone }) => id === value && !gone)
    ? null
    : 'Choose one of the list: this one is not on it.'
}

/** A value as people read it and files hold it; what nobody knows any more is empty. */
export const customText = (
  field: CustomField,
  value: CustomValue | undefined,
  options: { file?: boolean } = {},
): string => {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number')
    return options.file ? String(value) : value.toLocaleString('en-US', { maximumFractionDigits: 6 })
  if (field.type === 'date') return options.file ? value : formatDay(value, { year: true })
  if (field.type === 'choice') return field.choices.find(({ id }) => id === value)?.name ?? ''
  return value
}

const dayOfText = (text: string): string | null => {
  const us = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text)
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(text)
  const [year, month, day] = us
    ? [us[3] ?? '', us[1] ?? '', us[2] ?? '']
    : iso
      ? [iso[1] ?? '', iso[2] ?? '', iso[3] ?? '']
      : []
  if (!year || !month || !day) return null
  const full = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(full) ? full : null
}

const alike = (header: string): string => header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** What heads a field's column in a file: its name, told apart from columns that are called so anyway. */
export const customHeader = (field: { name: string }, others: readonly string[]): string =>
  others.some((header) => alike(header) === alike(field.name)) ? `${field.name} (custom)` : field.name

/** Whether a column of a file is a field's, by its header. `known`: the header means something else by itself. */
export const isHeaderOf = (field: { name: string }, header: string, known: boolean): boolean =>
  alike(header) === alike(`${field.name} (custom)`) || (!known && alike(header) === alike(field.name))

/** Reads a cell of a file as a value of a field. Null for an empty one. */
export const readCustomText = (
  field: CustomField,
  raw: string,
): { value: CustomValue | null; problem: string | null } => {
  const text = raw.normalize('NFC').trim()
  const bad = (problem: string) => ({ value: null, problem })
  const good = (value: CustomValue) => ({ value, problem: null })
  if (text === '') return { value: null, problem: null }
  if (field.type === 'text')
    return text.length > longestText
      ? bad(`${field.name} has ${text.length} characters; ${longestText} fit.`)
      : good(text)
  if (field.type === 'number') {
    const plain = text
      .replace(/^\$/, '')
      .replace(/(?<=\d),(?=\d{3}\b)/g, '')
      .replace(/\s*%$/, '')
    const value = /^[-+]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN
    return Number.isFinite(value) && Math.abs(value) <= mostNumber
      ? good(value)
      : bad(`${field.name} "${text.slice(0, 60)}" is not a number.`)
  }
  if (field.type === 'date') {
    const day = dayOfText(text)
    return day ? good(day) : bad(`${field.name} "${text.slice(0, 60)}" is not a day like 6/12/2026.`)
  }
  if (field.type === 'yesno') {
    if (/^(y|yes|true|1|x|on|si|sí)$/i.test(text)) return good(true)
    if (/^(n|no|false|0|off)$/i.test(text)) return good(false)
    return bad(`${field.name} "${text.slice(0, 60)}" is neither yes nor no.`)
  }
  const choice = field.choices.find(({ name, gone }) => !gone && name.toLowerCase() === text.toLowerCase())
  return choice ? good(choice.id) : bad(`${field.name} has no choice "${text.slice(0, 60)}".`)
}

/** What a column of a file most likely is, by what stands in it. */
export const guessType = (samples: readonly string[]): CustomType => {
  const filled = samples.map((one) => one.trim()).filter(Boolean)
  const all = (type: CustomType) =>
    filled.length > 0 &&
    filled.every(
      (one) =>
        readCustomText({ id: '', record: 'customer', name: '', type, choices: [], archivedAt: null }, one).value !==
        null,
    )
  if (filled.every((one) => /^(y|yes|n|no|true|false)$/i.test(one)) && filled.length > 0) return 'yesno'
  return all('date') ? 'date' : all('number') ? 'number' : 'text'
}

/**
 * The values of a record after some were changed: null takes one away, what is not named stays.
 * @returns the new values, or what is wrong by the id of the field
 */
export const changedCustom = (
  fields: readonly CustomField[],
  before: CustomValues,
  changes: Readonly<Record<string, CustomValue | null>>,
): { values: Record<string, CustomValue>; problems: { id: string; message: string }[] } => {
  const values = { ...before }
  const problems: { id: string; message: string }[] = []
  for (const [id, value] of Object.entries(changes)) {
    const field = fields.find((one) => one.id === id)
    if (!field) problems.push({ id, message: 'This field is not there any more. Load the page again.' })
    else if (value === null) delete values[id]
    else if (values[id] !== value) {
      const clean = typeof value === 'string' ? value.normalize('NFC').trim() : value
      const problem = customProblem(field, clean)
      if (problem) problems.push({ id, message: problem })
      else values[id] = clean
    }
  }
  return { values, problems }
}

/** What a filter asks of a field: a choice or yes/no, words in a text, a number or day from and to, that it is filled or empty. */
export const customOps = ['is', 'has', 'from', 'to', 'filled', 'empty'] as const
export type CustomOp = (typeof customOps)[number]
export type CustomFilter = { fieldId: string; op: CustomOp; value: string }
export const mostCustomFilters = 8

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Filters as one text of an address: `field.op.value` side by side with `~`. */
export const writeCustomFilters = (filters: readonly CustomFilter[]): string =>
  filters
    .map(({ fieldId, op, value }) => `${fieldId}.${op}.${encodeURIComponent(value).replaceAll('~', '%7E')}`)
    .join('~')

/** Reads what `writeCustomFilters` wrote; null for anything else. */
export const readCustomFilters = (text: string): CustomFilter[] | null => {
  const parts = text.split('~').filter(Boolean)
  if (parts.length > mostCustomFilters) return null
  const filters: CustomFilter[] = []
  for (const part of parts) {
    const [fieldId = '', op = '', ...rest] = part.split('.')
    const known = customOps.find((one) => one === op)
    let value: string
    try {
      value = decodeURIComponent(rest.join('.'))
    } catch {
      return null
    }
    const isBound = known === 'from' || known === 'to'
    const isStorable = value.length <= longestText && value.isWellFormed() && !/\p{Cc}/u.test(value)
    if (!uuid.test(fieldId) || !known || !isStorable || (isBound && boundOf(value) === null)) return null
    filters.push({ fieldId, op: known, value })
  }
  return filters
}

const dayMs = 86_400_000

/** A bound of a range as it is compared: a number as it is, a day as days since 1970. */
export const boundOf = (value: string): number | null => {
  if (isDay(value)) return Math.round(Date.parse(`${value}T00:00:00Z`) / dayMs)
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : null
}

/** A filter in words: "Irrigation: Hunter", "Contract ends from Jun 12, 2026". */
export const customFilterLabel = (field: CustomField, { op, value }: CustomFilter): string => {
  const shown =
    field.type === 'yesno'
      ? value === 'true'
        ? 'Yes'
        : 'No'
      : op === 'from' || op === 'to'
        ? customText(field, field.type === 'number' ? Number(value) : value)
        : field.type === 'choice'
          ? customText(field, value)
          : `“${value}”`
  if (op === 'filled') return `${field.name}: filled`
  if (op === 'empty') return `${field.name}: empty`
  return op === 'from' || op === 'to' ? `${field.name} ${op} ${shown}` : `${field.name}: ${shown}`
}
