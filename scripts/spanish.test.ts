import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { passwordTooShort } from '../src/features/accounts/rules.ts'
import { messageIn, translatedMessages } from '../src/shared/spanishMessages.ts'

it('says in Spanish what the server says in English, and never English where it has no words yet', () => {
  const wrong = 'Phone number or PIN is wrong. Try again, or ask your office to reset your PIN.'
  expect(messageIn('en', wrong, 'x')).toBe(wrong)
  expect(messageIn('es', wrong, 'x')).toContain('PIN no es correcto')
  expect(messageIn('es', 'Something new in English', 'No funcionó.')).toBe('No funcionó.')
  expect(messageIn('es', 'Too many tries. Please wait 8 seconds, then try again.', 'x')).toContain('8 segundos')
  expect(messageIn('es', 'Too many tries. Please wait 2 minutes, then try again.', 'x')).toContain('2 min')
  expect(
    messageIn('es', 'We sent you mail already. Look for it, also under spam, or try again in 12 minutes.', 'x'),
  ).toContain('12 min')
  expect(messageIn('es', 'Swath is away for a moment. Nothing was lost; please try again.', 'x')).toMatch(/^Swath no/)
  const late = 'The office has sent this quote already, so the photo was not added. Send it to the office by chat.'
  expect(messageIn('es', late, 'x')).toContain('por el chat')
  expect(translatedMessages).toContain(passwordTooShort)
})

/** Where these messages are said. A message that is worded anew there needs its Spanish words anew, too. */
const places = [
  'src/app/entry.ts',
  'src/app/session/session.ts',
  'src/shared/client.ts',
  'src/shared/names.ts',
  'src/platform/http/errors.ts',
  'src/platform/http/idempotency.ts',
  'src/platform/http/session.ts',
  'src/features/accounts/server',
  'src/features/accounts/team/server/commands.ts',
  'src/features/accounts/me',
  'src/features/accounts/people/server/commands.ts',
  'src/features/accounts/contract.ts',
  'src/features/accounts/twofactor/server/commands.ts',
  'src/features/quotes/crew/server/commands.ts',
]
const read = (path: string): string =>
  path.endsWith('.ts')
    ? readFileSync(path, 'utf8')
    : readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
        .map((name) => readFileSync(`${path}/${name}`, 'utf8'))
        .join('\n')

it('translates only what is really said', () => {
  const said = places.map(read).join('\n')
  expect(translatedMessages.filter((message) => message !== passwordTooShort && !said.includes(message))).toEqual([])
})
