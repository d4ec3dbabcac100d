import { expect, test } from 'vitest'
import { lastVisitWords, lateWords, type NextVisit, nextVisitWords } from './words.ts'

const visit: NextVisit = {
  day: '2026-06-12',
  isToday: false,
  status: 'waits',
  window: { from: 480, to: 600 },
  lateMinutes: null,
  street: null,
}
const at = { ...visit, street: '12 Oak St' }

test.each<[NextVisit, string | null, string | null]>([
  [
    visit,
    'Your next visit is Friday, June 12, between 8 and 10 AM.',
    'Su próxima visita es el viernes, 12 de junio, entre las 8 y las 10 AM.',
  ],
  [
    at,
    'Your next visit at 12 Oak St is Friday, June 12, between 8 and 10 AM.',
    'Su próxima visita en 12 Oak St es el viernes, 12 de junio, entre las 8 y las 10 AM.',
  ],
  [{ ...visit, isToday: true, window: null }, 'We come today.', 'Vamos hoy.'],
  [{ ...at, isToday: true, window: null }, 'We come to 12 Oak St today.', 'Vamos hoy a 12 Oak St.'],
  [
    { ...visit, isToday: true, status: 'on the way' },
    'Our crew is on the way to you now.',
    'Nuestro equipo ya va en camino.',
  ],
  [
    { ...at, isToday: true, status: 'on the way' },
    'Our crew is on the way to 12 Oak St now.',
    'Nuestro equipo ya va en camino a 12 Oak St.',
  ],
  [
    { ...visit, isToday: true, status: 'there' },
    'Our crew is at your property right now.',
    'Nuestro equipo está en su propiedad ahora mismo.',
  ],
  [
    { ...at, isToday: true, status: 'there' },
    'Our crew is at 12 Oak St right now.',
    'Nuestro equipo está en 12 Oak St ahora mismo.',
  ],
  // begun, left and perhaps never gone on with: nobody is there, and nobody knows when
  [{ ...visit, isToday: true, status: 'stopped' }, null, null],
])('what is said of the next visit, %#', (next, en, es) => {
  expect([nextVisitWords(next, 'en'), nextVisitWords(next, 'es')]).toEqual([en, es])
})

test('of several properties each sentence says which', () => {
  const last = { day: '2026-06-05', services: 'Mowing' }
  expect(lastVisitWords({ ...last, street: null }, 'en')).toBe('We were last there on Friday, June 5: Mowing.')
  expect(lastVisitWords({ ...last, street: '12 Oak St' }, 'en')).toBe(
    'We were last at 12 Oak St on Friday, June 5: Mowing.',
  )
  expect(lastVisitWords({ ...last, street: '12 Oak St' }, 'es')).toMatch(/^Estuvimos en 12 Oak St por última vez el /)
  expect(lateWords(22, at, 'en')).toBe(
    'We are running about 25 minutes late today. We expect to be at 12 Oak St between 8 and 10 AM.',
  )
})
