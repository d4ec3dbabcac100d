import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { KeyValue } from '../../../../ui/KeyValue.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { type Place, placeMergesApi } from '../contract.ts'
import { type PlacePair, samePlacesQuery, useMergePlaces } from './data.ts'

const sizeOf = ({ lawnSquareFeet }: Place): string =>
  lawnSquareFeet === null ? 'no lawn size' : `${lawnSquareFeet.toLocaleString('en-US')} sq ft`

const measured = (place: Place): string =>
  [
    sizeOf(place),
    place.areas > 0 ? (place.areas === 1 ? '1 area' : `${place.areas} areas`) : '',
    place.difficulty > 1 ? `difficulty ${place.difficulty}` : '',
  ]
    .filter(Boolean)
    .join(', ')

const nameOf = ({ street, unit }: Place): string => [street, unit].filter(Boolean).join(' ')

const hangs = (place: Place) => [
  { label: 'Jobs', value: place.jobs.toLocaleString('en-US') },
  { label: 'Visits', value: place.visits >= 1000 ? '1,000 or more' : place.visits.toLocaleString('en-US') },
]

/** Whose measurements stand is decided by a person; the rest is said. */
export const SamePlacesDialog = ({ pair, onClose }: { pair: PlacePair; onClose: () => void }) => {
  const { kept, gone } = pair
  // areas of two drawings are not the same ones because they are as many
  const differ = measured(kept) !== measured(gone) || kept.areas > 0
  const [measures, setMeasures] = useState<'kept' | 'gone'>(
    kept.lawnSquareFeet === null && gone.lawnSquareFeet !== null ? 'gone' : 'kept',
  )
  const { merge, undo } = useMergePlaces()
  const run = () =>
    merge.mutate(
      { ...pair, measures },
      {
        onSuccess: ({ mergeId }) => {
          toast.undo(`${nameOf(kept)} is one property now`, () =>
            undo.mutate(mergeId, {
              onSuccess: ({ fieldsBack }) =>
                toast.message(
                  fieldsBack
                    ? 'They are two properties again'
                    : 'They are two properties again. The kept one was changed since, so its fields stay as they are now.',
                ),
              onError: toast.error,
            }),
          )
          onClose()
        },
        onError: toast.error,
      },
    )
  return (
    <Dialog open onClose={onClose} title="One property instead of two">
      <div className="panel-stack">
        <p>
          <b>{nameOf(kept)}</b> is kept. {nameOf(gone)} is archived, and what hangs on it moves: jobs, visits with their
          photos, quotes, leads. Invoices stay as they were issued.
        </p>
        {gone.jobs > 0 ? (
          <section className="panel-section" aria-label="What moves">
            <h3>Moves to {nameOf(kept)}</h3>
            <KeyValue items={hangs(gone)} />
          </section>
        ) : null}
        {kept.jobs > 0 && gone.jobs > 0 ? (
          <Banner tone="warn">
            Both have jobs. Look at them afterwards: the same work may be booked twice. Prices of jobs stay as they are.
          </Banner>
        ) : null}
        {differ ? (
          <RadioField
            label="Whose measurements stand?"
            hint="Prices, minutes and material are worked out from them."
            value={measures}
            onChange={setMeasures}
            options={[
              { value: 'kept', label: measured(kept), hint: nameOf(kept) },
              { value: 'gone', label: measured(gone), hint: nameOf(gone) },
            ]}
          />
        ) : null}
        <FormActions>
          <Button calls={placeMergesApi.merge} kind="primary" loading={merge.isPending} onClick={run}>
            Make them one
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}

/** Says that two properties of a customer are the same lawn, written differently. */
export const SamePlaces = ({ customer }: { customer: { id: string; archivedAt: string | null } }) => {
  const may = useMay()
  const asks = may(placeMergesApi.merge) && customer.archivedAt === null
  const found = useQuery({ ...samePlacesQuery(customer.id), enabled: asks })
  const [open, setOpen] = useState<PlacePair | null>(null)
  const [pair] = found.data?.items ?? []
  return (
    <>
      {asks && pair ? (
        <Banner
          tone="info"
          title={`${nameOf(pair.kept)} stands here twice.`}
          action={
            <Button calls={placeMergesApi.merge} size="s" onClick={() => setOpen(pair)}>
              Make them one
            </Button>
          }
        >
          {nameOf(pair.kept) === nameOf(pair.gone)
            ? `${measured(pair.kept)} and ${measured(pair.gone)}.`
            : `${nameOf(pair.kept)} (${measured(pair.kept)}) and ${nameOf(pair.gone)} (${measured(pair.gone)}) are one address.`}
        </Banner>
      ) : null}
      {open ? <SamePlacesDialog pair={open} onClose={() => setOpen(null)} /> : null}
    </>
  )
}
