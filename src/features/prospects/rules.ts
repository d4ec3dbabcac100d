import { phoneDigits } from '../../shared/phone.ts'

export const leadSources = ['landing_page', 'quote_builder_direct', 'google_ads'] as const
export type LeadSource = (typeof leadSources)[number]

export const leadStatuses = ['new', 'contacted', 'qualified', 'converted', 'closed'] as const
export type LeadStatus = (typeof leadStatuses)[number]

/** What the lead forms say, word for word. */
export const leadProblems = {
  missing: 'Please fill in all required fields',
  email: 'Please enter a valid email address',
  phone: 'Please enter a valid phone number',
} as const

/** What a page without JavaScript says after its form was refused; each stands at the anchor `problem-<name>`. */
export const formProblems = {
  missing: leadProblems.missing,
  email: leadProblems.email,
  phone: leadProblems.phone,
  busy: 'That was a lot at once. Nothing was lost; please try again in an hour, or call us',
  other: 'Something in the form is longer than we can take',
} as const
export type FormProblem = keyof typeof formProblems

export const looksLikeEmail = (text: string): boolean =>
  /^[^\s@<>"(),;:\\[\]]+@[^\s@<>"(),;:\\[\]]+\.[^\s@.]+$/.test(text)

export type LeadContact = { name: string; email: string; phone: string }

/**
 * What is wrong with the three fields of a lead form, one message a field; nothing when it can be sent. The name and the address are judged
 * without the blanks around them; a phone number needs at least ten digits.
 */
export const checkContact = (contact: LeadContact): { path: keyof LeadContact; message: string }[] => {
  const missing = (['name', 'email', 'phone'] as const).filter((field) => contact[field].trim() === '')
  if (missing.length > 0) return missing.map((path) => ({ path, message: leadProblems.missing }))
  if (!looksLikeEmail(contact.email.trim())) return [{ path: 'email', message: leadProblems.email }]
  if (phoneDigits(contact.phone).length < 10) return [{ path: 'phone', message: leadProblems.phone }]
  return []
}

/** An advertisement of Google decides the source, whatever page its visitor landed on. */
export const sourceOf = (page: LeadSource, attribution: { gclid: string; utmSource: string }): LeadSource =>
  attribution.gclid !== '' || attribution.utmSource.trim().toLowerCase() === 'google' ? 'google_ads' : page

/** Days that page views are kept: 13 months. */
export const pageViewDays = 396

/** The consent line of the lead forms. It is stored word for word with each lead that was made under it. */
export const consentLine =
  'By sending this form you agree that Swath may write and text you about your application at the address and number you gave. Consent is not a condition of buying anything. Message and data rates may apply. Reply STOP to end texts, HELP for help.'

/** What a message of the contact form may be about. */
export const contactTopics = [
  'A question before I start',
  'Something does not work',
  'My bill',
  'A text or a mail I got',
  'My data',
  'Something else',
] as const
