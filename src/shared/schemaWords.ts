import { z } from 'zod'
import { formatCents } from './money.ts'

type Issue = Parameters<NonNullable<z.core.$ZodConfig['customError']>>[0]

const wanted: Readonly<Record<string, string>> = {
  string: 'Text is needed',
  number: 'A number is needed',
  int: 'A whole number is needed',
  boolean: 'Yes or no is needed',
  date: 'A day is needed',
  array: 'A list is needed',
}

const formats: Readonly<Record<string, string>> = {
  email: 'Please enter a valid email address',
  date: 'A day like 2026-06-12 is needed',
  datetime: 'A point in time is needed',
  time: 'A time of day is needed',
  url: 'A web address is needed',
  uuid: 'We do not know what this stands for',
  starts_with: 'This does not begin as it has to',
}

const counted = (limit: unknown, one: string, many: string): string =>
  `${Number(limit).toLocaleString('en-US')} ${Number(limit) === 1 ? one : many}`

/** Money is kept in cents and typed in dollars: a limit of it is said as it was typed. */
const isMoney = (path: readonly PropertyKey[] | undefined): boolean => /cents$/i.test(String(path?.at(-1) ?? ''))

type Size = { origin: string; limit: unknown; more: boolean; inclusive: boolean; money: boolean }

const sizeWords = ({ origin, limit, more, inclusive, money }: Size): string => {
  const bound = more ? 'At least' : 'At most'
  if (origin === 'string') return `${bound} ${counted(limit, 'character', 'characters')}`
  if (origin === 'array' || origin === 'set') return `${bound} ${counted(limit, 'entry', 'entries')}`
  const number = money ? formatCents(Number(limit)) : Number(limit).toLocaleString('en-US')
  return inclusive ? `${bound} ${number}` : `${more ? 'More' : 'Less'} than ${number}`
}

/** What is wrong with a value, as the person says it who typed it. A schema that has words of its own keeps them. */
export const schemaWords = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null
        ? 'This is needed'
        : (wanted[issue.expected] ?? 'We cannot read this')
    case 'too_small':
      return issue.origin === 'string' && Number(issue.minimum) === 1
        ? 'This is needed'
        : sizeWords({
            origin: issue.origin,
            limit: issue.minimum,
            more: true,
            inclusive: issue.inclusive ?? true,
            money: isMoney(issue.path),
          })
    case 'too_big':
      return sizeWords({
        origin: issue.origin,
        limit: issue.maximum,
        more: false,
        inclusive: issue.inclusive ?? true,
        money: isMoney(issue.path),
      })
    case 'invalid_format':
      return formats[issue.format] ?? 'This is not written as it has to be'
    case 'invalid_value':
      return 'Choose one of what is offered'
    case 'not_multiple_of':
      return Number(issue.divisor) === 1 ? 'A whole number is needed' : `Steps of ${issue.divisor} are possible`
    case 'unrecognized_keys':
      return `We do not know what ${issue.keys.join(', ')} stands for`
    default:
      return 'We cannot read this'
  }
}

/** Every schema of this program speaks so from now on. */
export const speakPlainly = (): void => {
  z.config({ customError: schemaWords })
}
