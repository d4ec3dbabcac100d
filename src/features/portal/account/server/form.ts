import { z } from 'zod'
import { isZip } from '../../../../shared/places.ts'
import { stateOrNull } from '../../../../shared/states.ts'
import { type ContactKind, contactKinds } from '../../../customers/contacts/rules.ts'
import { readAddress } from '../../rules.ts'

/** What a person types into the form of their own data. */
export type AccountForm = {
  name: string
  email: string
  phone: string
  language: string
  way: string
  gets: ContactKind[]
  street: string
  city: string
  state: string
  zip: string
}

export const readAccountForm = (fields: Readonly<Record<string, string>>): AccountForm => {
  const of = (name: string, max: number) => (fields[name] ?? '').trim().slice(0, max)
  return {
    name: of('name', 120),
    email: of('email', 254),
    phone: of('phone', 40),
    language: of('language', 2),
    way: of('way', 10),
    gets: contactKinds.filter((kind) => fields[`gets-${kind}`] === '1'),
    street: of('street', 200),
    city: of('city', 100),
    state: of('state', 2).toUpperCase(),
    zip: of('zip', 12),
  }
}

export type AccountProblem = 'name' | 'email' | 'phone' | 'reach' | 'state' | 'zip'

/** What cannot be kept of what was typed, in the order of the form. */
export const accountProblems = (form: AccountForm): AccountProblem[] => {
  const email = form.email === '' ? null : readAddress(form.email)
  const phone = form.phone === '' ? null : readAddress(form.phone)
  return [
    form.name.length < 2 || !/\p{L}/u.test(form.name) ? ('name' as const) : null,
    form.email !== '' && (email?.channel !== 'email' || !z.email().safeParse(form.email).success)
      ? ('email' as const)
      : null,
    form.phone !== '' && phone?.channel !== 'sms' ? ('phone' as const) : null,
    form.email === '' && form.phone === '' ? ('reach' as const) : null,
    stateOrNull.safeParse(form.state).success ? null : ('state' as const),
    form.zip !== '' && !isZip(form.zip) ? ('zip' as const) : null,
  ].filter((one) => one !== null)
}
