import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { type Door, doorcardsApi } from '../contract.ts'
import { type DoorKind, mostDoors, restDays, usualOffer } from '../rules.ts'
import { CardBatches } from './CardBatches.tsx'
import { neighborsQuery, saveCards, useMakeCards, useUndoCards } from './data.ts'
import { feetLabel } from './words.ts'
import './doorcards.css'

type Props = {
  properties: readonly { id: string; street: string }[]
  onClose: () => void
  /** Leads to the neighbors of a crew's whole day. */
  onCrew?: () => void
}

const headings: Record<DoorKind, { title: string; hint: string }> = {
  past: { title: 'Customers of before', hint: 'They know you, and nothing is booked for them.' },
  lead: { title: 'People who asked', hint: 'Leads that are not customers yet.' },
  beside: {
    title: 'House numbers beside it',
    hint: 'Counted from this house number: Swath has no list of all addresses. Leave out what is not there.',
  },
}
const languages = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Spanish' },
] as const

const hintOf = (door: Door, timeZone: string): string =>
  [
    door.name,
    door.meters === null ? null : feetLabel(door.meters),
    door.askedAt ? `got a card on ${formatDay(dayOf(door.askedAt, timeZone))}` : null,
  ]
    .filter(Boolean)
    .join(' · ')

/** Whom to ask around a stop: doors near it, as cards to print, each with a code that says where the request came from. */
export const NeighborsDialog = ({ properties, onClose, onCrew }: Props) => {
  const { timeZone } = useUser().business
  const [propertyId, setPropertyId] = useState(properties[0]?.id ?? '')
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set())
  const [language, setLanguage] = useState<'en' | 'es'>('en')
  const [offer, setOffer] = useState<string | null>(null)
  const near = useQuery(neighborsQuery(propertyId))
  const make = useMakeCards()
  const undo = useUndoCards()
  const [showsMade, setShowsMade] = useState(false)
  const doors = near.data?.doors ?? []
  const free = doors.filter(({ askedAt }) => askedAt === null)
  const chosen = free.filter(({ key }) => !dropped.has(key)).slice(0, mostDoors)
  const toggle = (key: string, on: boolean) => {
    const next = new Set(dropped)
    if (on) next.delete(key)
    else next.add(key)
    setDropped(next)
  }
  const run = () =>
    make.mutate(
      { propertyId, body: { keys: chosen.map(({ key }) => key), language, offer: offer ?? usualOffer[language] } },
      {
        onSuccess: async ({ id, doors: count }) => {
          try {
            await saveCards(id)
          } catch {
            // they are made, and their doors rest: the same cards are printed from the list
            setShowsMade(true)
            toast.error('The cards are made, but their file did not come. Print them again below, or take them back.')
            return
          }
          toast.undo(
            `${count} ${count === 1 ? 'card' : 'cards'} made. These doors are left in peace for ${restDays} days.`,
            () => undo.mutate(id, { onError: toast.error }),
            id,
          )
          onClose()
        },
        onError: toast.error,
      },
    )
  return (
    <Dialog open onClose={onClose} title={near.data ? `Neighbors of ${near.data.street}` : 'Neighbors'}>
      <div className="panel-stack">
        {properties.length > 1 ? (
          <SelectField
            label="Around which property"
            value={propertyId}
            onChange={setPropertyId}
            options={properties.map(({ id, street }) => ({ value: id, label: street }))}
          />
        ) : null}
        {near.isError ? (
          <ErrorState compact error={near.error} onRetry={() => void near.refetch()} retrying={near.isFetching} />
        ) : !near.data ? (
          <Skeleton height={200} />
        ) : (
          <>
            {near.data.hasPage ? null : (
              <Banner
                tone="warn"
                title="Your business page is off."
                action={<Button href="/profile">Switch it on</Button>}
              >
                The code on a card leads there: without the page it would lead nowhere.
              </Banner>
            )}
            {near.data.pinned ? null : (
              <Banner tone="info" title="This property has no map pin.">
                With one, customers of before and leads near it are found too.
              </Banner>
            )}
            {doors.length === 0 ? <p className="muted">No door near it is known.</p> : null}
            {(['past', 'lead', 'beside'] as const).map((kind) => {
              const those = doors.filter((door) => door.kind === kind)
              return those.length === 0 ? null : (
                <section key={kind} className="panel-section" aria-label={headings[kind].title}>
                  <h3>{headings[kind].title}</h3>
                  <p className="hint">{headings[kind].hint}</p>
                  <div className="doors">
                    {those.map((door) => (
                      <CheckboxField
                        key={door.key}
                        label={door.street}
                        hint={hintOf(door, timeZone) || undefined}
                        disabled={door.askedAt !== null}
                        value={chosen.some(({ key }) => key === door.key)}
                        onChange={(on) => toggle(door.key, on)}
                      />
                    ))}
                  </div>
                </section>
              )
            })}
            <div className="doors__words">
              <SelectField label="Language of the cards" value={language} onChange={setLanguage} options={languages} />
              <TextField
                label="Line on the card"
                maxLength={120}
                value={offer ?? usualOffer[language]}
                onChange={setOffer}
                hint="The card names the street, never your customer."
              />
            </div>
          </>
        )}
        <details
          className="cards-made"
          open={showsMade}
          onToggle={({ currentTarget }) => setShowsMade(currentTarget.open)}
        >
          <summary>Cards made before</summary>
          {showsMade ? <CardBatches /> : null}
        </details>
        <FormActions>
          <Button
            calls={doorcardsApi.make}
            kind="primary"
            disabled={chosen.length === 0 || !near.data?.hasPage}
            loading={make.isPending}
            onClick={run}
          >
            {chosen.length === 1 ? 'Print 1 card' : `Print ${chosen.length} cards`}
          </Button>
          {onCrew ? (
            <Button kind="quiet" onClick={onCrew}>
              For a crew with room
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
