import { describe, expect, it } from 'vitest'
import { checkAccount } from './rules.ts'

const whole = {
  name: 'Dana',
  email: 'dana@oak.test',
  password: 'sixsix',
  confirmPassword: 'sixsix',
  customers: '11-25',
  companySize: 'small',
}

describe('checkAccount', () => {
  it('has nothing to say about a whole form', () => expect(checkAccount(whole)).toEqual({}))
  it.each([
    [{ password: 'five5', confirmPassword: 'five5' }, { password: 'Password must be at least 6 characters long' }],
    [
      { password: 'five5', confirmPassword: 'five6' },
      { password: 'Password must be at least 6 characters long', confirmPassword: 'Passwords do not match' },
    ],
    [{ confirmPassword: 'other1' }, { confirmPassword: 'Passwords do not match' }],
    [{ name: ' ' }, { name: 'Enter a name' }],
    [{ email: 'dana' }, { email: 'This does not look like an email address' }],
    [
      { customers: '', companySize: '' },
      { customers: 'Choose the number of customers', companySize: 'Choose the company size' },
    ],
  ])('%j is %j', (change, problems) => expect(checkAccount({ ...whole, ...change })).toEqual(problems))
})
