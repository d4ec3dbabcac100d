import { expect, test } from 'vitest'
import { contactRights } from './rights.ts'

const none = { invoicesBy: null, quotesBy: null, visitsBy: null, marketingBy: null }
test.each([
  [
    { role: 'household' as const, ...none },
    { money: false, quotes: false, change: true },
  ],
  [
    { role: 'billing' as const, ...none, invoicesBy: 'email' as const },
    { money: true, quotes: false, change: false },
  ],
  [
    { role: 'tenant' as const, ...none, visitsBy: 'text' as const },
    { money: false, quotes: false, change: false },
  ],
  [{ role: 'gate' as const, ...none, marketingBy: 'email' as const }, null],
])('a contact %o may %o', (contact, rights) => expect(contactRights(contact)).toEqual(rights))
