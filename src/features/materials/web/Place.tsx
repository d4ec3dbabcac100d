import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { ComboboxField } from '../../../ui/ComboboxField.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { customerQuery, findCustomers } from '../../quotes/web/data.ts'
import { amountText } from '../rules.ts'
import { areasOf, usualAreas } from './areas.ts'
import { propertyAreasQuery } from './data.ts'

/** Where it is for, as far as the calculator cares. */
export type PlaceFacts = { customerId: string; propertyId: string; state: string; words: string }

export type Ground = {
  place: PlaceFacts | null
  /** Ticked parts of the property. */
  areaIds: readonly string[] | null
  typed: number | null
}

type Props = {
  ground: Ground
  /** Beds are what is meant first. */
  beds: boolean
  error: string | undefined
  onChange: (ground: Ground, squareFeet: number | null) => void
}

/** The area: typed, or parts of a customer's property as they were measured, several of them. */
export const Place = ({ ground, beds, error, onChange }: Props) => {
  const { params, change } = useParams()
  const customerId = params.get(recordParam.customer) ?? ''
  const customer = useQuery(customerQuery(customerId))
  const places = customer.data?.properties.filter(({ archivedAt }) => !archivedAt) ?? []
  const property = places.find(({ id }) => id === ground.place?.propertyId) ?? places[0]
  const measured = useQuery(propertyAreasQuery(property?.id ?? ''))
  const areas = areasOf(property?.lawnSquareFeet ?? null, measured.data?.items ?? [])
  const ticked = ground.areaIds ?? usualAreas(areas, beds)
  const own = areas.filter(({ id }) => ticked.includes(id))
  const sum = own.reduce((feet, { squareFeet }) => feet + squareFeet, 0) + (ground.typed ?? 0)
  const place: PlaceFacts | null = property
    ? {
        customerId,
        propertyId: property.id,
        state: property.state,
        words: [customer.data?.name, property.street].filter(Boolean).join(', '),
      }
    : null
  const tell = useEffectEvent(() => onChange({ ...ground, place }, sum > 0 ? sum : ground.typed))
  const seen = JSON.stringify([place, ticked, sum, ground.typed])
  // biome-ignore lint/correctness/useExhaustiveDependencies(seen): what the sum is made of
  useEffect(() => {
    tell()
  }, [seen])
  const set = (more: Partial<Ground>) => onChange({ ...ground, place, ...more }, sum > 0 ? sum : ground.typed)
  return (
    <Card title="Area">
      <div className="mat-form">
        <ComboboxField
          label="Customer"
          optional
          value={customer.data ? { value: customer.data.id, label: customer.data.name } : null}
          onChange={(choice) => {
            set({ areaIds: null, place: null })
            change({ [recordParam.customer]: choice?.value ?? null }, { replace: true })
          }}
          placeholder="Name, street or e-mail"
          hint="Uses the measured lawn and beds, and lets you save the result."
          search={findCustomers}
          emptyText="Nobody found."
        />
        {customer.isError ? (
          <ErrorState
            compact
            error={customer.error}
            title="We could not load the customer"
            onRetry={() => void customer.refetch()}
          />
        ) : null}
        {places.length > 1 ? (
          <SelectField
            label="Property"
            value={property?.id ?? ''}
            onChange={(id) => {
              const next = places.find((one) => one.id === id)
              if (next && place) set({ areaIds: null, place: { ...place, propertyId: id, state: next.state } })
            }}
            options={places.map(({ id, street, city }) => ({
              value: id,
              label: [street, city].filter(Boolean).join(', '),
            }))}
          />
        ) : property ? (
          <p className="muted">{[property.street, property.city, property.state].filter(Boolean).join(', ')}</p>
        ) : null}
        {property && measured.isError && !measured.data ? (
          <ErrorState
            compact
            error={measured.error}
            title="We could not load what is measured here"
            onRetry={() => void measured.refetch()}
            retrying={measured.isFetching}
          />
        ) : null}
        {property && measured.data && areas.length === 0 ? (
          <Banner
            tone="warn"
            action={
              <Button size="s" href={linkTo.measure(customerId, property.id)}>
                Measure
              </Button>
            }
          >
            Nothing is measured here yet. Type the area, or measure it on the map.
          </Banner>
        ) : null}
        {areas.length > 0 ? (
          <fieldset className="mat-areas">
            <legend>Measured</legend>
            {areas.map(({ id, label, squareFeet }) => (
              <CheckboxField
                key={id}
                label={label}
                hint={`${amountText(squareFeet)} sq ft`}
                value={ticked.includes(id)}
                onChange={(on) => set({ areaIds: on ? [...ticked, id] : ticked.filter((one) => one !== id) })}
              />
            ))}
          </fieldset>
        ) : null}
        <NumberField
          label={areas.length > 0 ? 'Extra area' : 'Area'}
          optional={areas.length > 0}
          unit="sq ft"
          min={0}
          step={500}
          value={ground.typed}
          error={error}
          onChange={(typed) => set({ typed })}
        />
        {own.length + (ground.typed ? 1 : 0) > 1 ? (
          <p className="mat-sum num">
            Total <b>{amountText(sum)} sq ft</b>
          </p>
        ) : null}
      </div>
    </Card>
  )
}
