import { describe, expect, it } from 'vitest'
import { searchSettings, sectionAt, settingsFor, settingsHref, settingsSections } from './settingsIndex.ts'

const owner = settingsFor({ isOwner: true, isSupport: false })

describe('the index of the settings', () => {
  it('names every card once', () => {
    const ids = settingsSections.flatMap(({ cards }) => cards.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([
    ['tax', 'taxes'],
    ['time zone', 'details'],
    ['DARK', 'appearance'],
    ['digest', 'news'],
    ['push', 'push'],
    ['two-factor', 'security'],
    ['  net  30 ', 'invoicing'],
    ['your color', 'color'],
    ['export', 'export'],
    ['quick', 'integrations'],
    ['wage', 'costs'],
    ['end together', 'routes'],
    ['evenn', 'routes'],
  ])('finds %s', (typed, card) => {
    expect(searchSettings(owner, typed)[0]?.card.id).toBe(card)
  })

  it('finds what is named so before what only mentions it, and nothing for nothing', () => {
    expect(searchSettings(owner, 'invoices')[0]?.card.id).toBe('invoicing')
    expect(searchSettings(owner, 'zebra')).toEqual([])
    expect(searchSettings(owner, '  ')).toEqual([])
  })

  it.each([
    ['money', '', 'money'],
    [null, 'taxes', 'money'],
    [null, 'plan', 'plan'],
    ['quiet', '', 'schedule'],
    ['nonsense', '', undefined],
    [null, '', undefined],
  ])('reads section=%s and #%s', (name, anchor, section) => {
    expect(sectionAt(owner, name, anchor)?.id).toBe(section)
  })

  it('leads back to what it found', () => {
    for (const section of owner)
      for (const card of section.cards) {
        const { searchParams, hash } = new URL(settingsHref(section.id, card.id), 'http://x')
        expect(sectionAt(owner, searchParams.get('section'), hash.slice(1))).toBe(section)
      }
  })

  it('hides what is not for the person: the owner’s from an Admin, the personal from support', () => {
    const cards = (viewer: Parameters<typeof settingsFor>[0]) =>
      settingsFor(viewer).flatMap((section) => section.cards.map(({ id }) => id))
    expect(cards({ isOwner: false, isSupport: false })).not.toContain('account')
    expect(cards({ isOwner: false, isSupport: true })).toEqual(expect.arrayContaining(['details', 'taxes']))
    for (const id of ['you', 'appearance', 'security', 'plan', 'support', 'account'])
      expect(cards({ isOwner: false, isSupport: true })).not.toContain(id)
  })
})
