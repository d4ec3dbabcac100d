import { describe, expect, it } from 'vitest'
import { presetLike, roleLabel, statusOf, weekdaysText } from './labels.ts'

describe('words of people and crews', () => {
  it.each([
    [[1, 2, 3, 4, 5], 'Mon to Fri'],
    [[2, 4, 6], 'Tue, Thu, Sat'],
    [[0, 6], 'Sat, Sun'],
    [[], 'no days'],
    [[0, 1, 2, 3, 4, 5, 6], 'Mon to Sun'],
  ])('%j is %s', (days, text) => {
    expect(weekdaysText(days)).toBe(text)
  })
  it('finds the preset that permissions are exactly', () => {
    expect(presetLike('Admin', ['crewLead', 'customers', 'schedule'])).toBe('dispatcher')
    expect(presetLike('Admin', ['customers', 'schedule'])).toBeNull()
    expect(presetLike('Employee', ['crewLead'])).toBe('crewLead')
    expect(presetLike('Employee', ['crewLead', 'collect'])).toBe('crewLead')
    expect(roleLabel({ role: 'Admin', permissions: ['money'] })).toBe('Office, own choice')
    expect(roleLabel({ role: 'Owner', permissions: [] })).toBe('Owner')
  })
  it('says how far somebody is with signing in', () => {
    const none = { method: null, twoFactor: false, deviceCount: 0, invite: null }
    const invite = { channel: 'sms', address: '+19125550123', sentAt: '', expiresAt: '' } as const
    const words = (
      signIn: Parameters<typeof statusOf>[0]['signIn'],
      status: 'invited' | 'active' | 'disabled' = 'invited',
    ) => statusOf({ status, signIn }).label
    expect(words(none)).toBe('No sign-in yet')
    expect(words({ ...none, invite: { ...invite, state: 'open' } })).toBe('Invited')
    expect(words({ ...none, invite: { ...invite, state: 'expired' } })).toBe('Invitation expired')
    expect(words({ ...none, method: 'pin' }, 'active')).toBe('Active')
    expect(words({ ...none, method: 'password' }, 'disabled')).toBe('Deactivated')
  })
})
