import { describe, expect, test } from 'vitest'
import { firstNameOf, greetingOf } from './names.ts'

describe('how somebody is greeted', () => {
  test.each([
    ['Ann Lee', 'Ann'],
    ['  Ann   Lee ', 'Ann'],
    ['Cher', 'Cher'],
    ['', ''],
    ['Lee, Ann', 'Ann'],
    ['Lee, Ann Marie', 'Ann'],
    ['Jones, Bob & Ann', 'Bob & Ann'],
    ['Bob & Ann Jones', 'Bob & Ann'],
    ['Bob and Ann Jones', 'Bob and Ann'],
    ['Ana y Luis Ortega', 'Ana y Luis'],
    ['Mr. Jones', 'Mr. Jones'],
    ['Dr. Maria Lopez', 'Dr. Maria Lopez'],
    ['Mary Church', 'Mary Church'],
    ['Mary E Van Dyke', 'Mary'],
    ['Don Miller', 'Don'],
    ['Van Dyke, Mary', 'Mary'],
    ['Bob Jones and Ann Lee', 'Bob Jones and Ann Lee'],
  ])('%j as %j', (name, greeted) => expect(firstNameOf(name)).toBe(greeted))

  test.each([
    'First Baptist Church',
    'The Landings Club',
    'Oak Hill HOA',
    'Second Street Court',
    'Live Oak Montessori',
    'Green Bros. LLC',
    'Smith & Sons, Inc.',
    'Coastal Realty',
    '1st Street Partners',
    'Johnson Johnson & Lee',
    'Iglesia San José',
    'Savannah Dental Care, P.C. Dental',
  ])('%s, whole', (name) => expect(firstNameOf(name)).toBe(name))

  test.each([
    ['Blue Heron', ' blue  heron', 'Blue Heron'],
    ['Ann Lee', 'Lee Coffee', 'Ann'],
    ['Second Chapel', null, 'Second Chapel'],
  ])('%s of %s as %s', (name, company, greeted) => expect(greetingOf({ name, company })).toBe(greeted))
})
