import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import type { CustomerRecord, Property } from '../contract.ts'
import { PropertyDialog } from './PropertyDialog.tsx'

const property: Property = {
  id: '01a202c7-f2af-717a-8cad-ef17944daad1',
  customerId: '01a202c7-f2af-717a-8cad-ef17944daad2',
  street: '12 Oak St',
  unit: '',
  city: 'Savannah',
  state: 'GA',
  zip: '31401',
  latitude: 32.1,
  longitude: -81.1,
  geocodeQuality: 'manual',
  geocodeNote: '',
  geocodeWaiting: false,
  lawnSquareFeet: 5000,
  bedSquareFeet: null,
  edgeFeet: null,
  difficulty: 1,
  hasGateCode: true,
  gateCodeMark: 'first',
  dog: '',
  parking: '',
  noGo: '',
  mowHeightInches: null,
  clippings: 'mulch',
  notes: '',
  custom: {},
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  archivedAt: null,
  can: { update: true, locate: true, archive: true, unarchive: false },
}

/** The dialog over a property that somebody else has changed since: the server takes only the version that stands. */
const opened = (theirs: Partial<Property>) => {
  const now = { ...property, version: 2, ...theirs }
  const saved: object[] = []
  answerWith(async (request) => {
    if (request.method === 'GET')
      return { body: request.url.includes('/api/customers/map') ? { pins: [] } : { properties: [now] } }
    const body = (await request.json()) as { version: number }
    if (body.version !== now.version)
      return {
        status: 409,
        body: { code: 'version_conflict', message: 'Somebody else changed it.', details: { version: now.version } },
      }
    saved.push(body)
    return { body: { ...now, version: now.version + 1 } }
  })
  const customer = { id: property.customerId, name: 'Ann Lee' } as CustomerRecord
  return { ...show(<PropertyDialog customer={customer} property={property} onClose={() => undefined} />), saved }
}

describe('a gate code that two people change', () => {
  it('is asked about, without showing the code that is there', async () => {
    const { user, saved } = opened({ gateCodeMark: 'second' })
    await user.type(screen.getByLabelText(/Gate code/), '4711')
    await user.click(screen.getByRole('button', { name: 'Save property' }))
    const question = await screen.findByRole('dialog', { name: /changed meanwhile/ })
    expect(question.textContent).toContain('Another code, which is not shown here')
    expect(saved).toEqual([])
    await user.click(within(question).getByRole('radio', { name: /4711/ }))
    await user.click(within(question).getByRole('button', { name: /Save/ }))
    await waitFor(() => expect(saved).toMatchObject([{ gateCode: '4711', version: 2 }]))
  })

  it('is kept where only something else was changed meanwhile', async () => {
    const { user, saved } = opened({ dog: 'Rex' })
    await user.type(screen.getByLabelText(/Gate code/), '4711')
    await user.click(screen.getByRole('button', { name: 'Save property' }))
    await waitFor(() => expect(saved).toMatchObject([{ gateCode: '4711', version: 2 }]))
  })
})
