import { type Day, daysBetween } from '../../../shared/dates.ts'
import { imageKindOf, isPdf } from '../../files/rules.ts'

/** Documents of a person that the office keeps. */

export const documentKinds = ['i9', 'w4', 'license', 'certificate', 'contract', 'medical', 'other'] as const
export type DocumentKind = (typeof documentKinds)[number]
export const documentLabel: Record<DocumentKind, string> = {
  i9: 'Form I-9',
  w4: 'Form W-4',
  license: 'Driver’s license',
  certificate: 'Certificate',
  contract: 'Contract',
  medical: 'Medical card',
  other: 'Other',
}

/** The largest document, in bytes. */
export const largestDocument = 10 * 1024 * 1024
/** The most that one person has on the list. */
export const mostDocuments = 60
/** So many days before it ends a document is told of, and after it has. */
export const documentWarningDays = 30
/** Days after which what was taken off the list is deleted for good. */
export const documentKeptDays = 30

export type DocumentMime = 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp'

/** What the first bytes say a document is, whatever its name says; null for what we do not take. */
export const documentMimeOf = (bytes: Uint8Array): DocumentMime | null => {
  if (isPdf(bytes)) return 'application/pdf'
  const kind = imageKindOf(bytes)
  return kind === null ? null : `image/${kind}`
}

const endings: Record<DocumentMime, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

/** "Form I-9": its own name where it has one. */
export const documentTitle = ({ kind, name }: { kind: DocumentKind; name: string }): string =>
  name || documentLabel[kind]

/** What it is called where it is saved: nothing in it that a disk or a header would take for something else. */
export const documentFileName = (one: {
  person: string
  kind: DocumentKind
  name: string
  mime: DocumentMime
}): string =>
  `${`${one.person} ${documentTitle(one)}`.replaceAll(/[^\p{L}\p{N} .-]+/gu, '').trim()}.${endings[one.mime]}`

/** How a document stands by its last day. */
export const documentState = (expiresOn: Day | null, today: Day): 'expired' | 'ending' | 'good' | 'endless' => {
  if (expiresOn === null) return 'endless'
  const left = daysBetween(today, expiresOn)
  return left < 0 ? 'expired' : left <= documentWarningDays ? 'ending' : 'good'
}
