import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatDay } from '#src/shared/dates.ts'
import { Button } from '#src/ui/Button.tsx'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { DateField } from '#src/ui/DateField.tsx'
import { ErrorState } from '#src/ui/ErrorState.tsx'
import { FormActions } from '#src/ui/FormActions.tsx'
import { RadioField } from '#src/ui/RadioField.tsx'
import { TableSkeleton } from '#src/ui/Skeleton.tsx'
import { toast } from '#src/ui/toast.tsx'
import { useToday } from '../../../accounts/web/session.ts'
import { useSettled } from '../../web/useSettled.ts'
import { type PriceChange, pricesApi } from '../contract.ts'
import { type PriceWish, pricePreviewQuery, useApplyPrices, useUndoPrices } from './data.ts'
import { PriceOutcome } from './PriceOutcome.tsx'
import './prices.css'

type What = Pick<PriceWish, 'rules' | 'raise' | 'ownPrices'>

/** Says that prices changed, with Undo beside it. */
const useSaid = () => {
  const undo = useUndoPrices()
  return ({ id, visitCount, fromOn, scope }: PriceChange) =>
    toast.undo(
      scope === 'new'
        ? 'New prices stand in the book. Booked work keeps its own'
        : `New prices from ${formatDay(fromOn)}, ${visitCount.toLocaleString('en-US')} ${visitCount === 1 ? 'visit' : 'visits'} changed`,
      () => undo.mutateAsync(id).then(() => toast.success('Undone: the old prices hold again'), toast.error),
      `prices:${id}`,
    )
}

type Props = {
  /** What changes; null while it is not fully typed. */
  what: What | null
  /** The part of the form above the question. */
  children?: ReactNode
  onClose: () => void
  onDone?: () => void
}

/** From when new prices hold, for which work, what that does, and who is told; nothing is changed before it is confirmed. */
export const PriceQuestion = ({ what, children, onClose, onDone }: Props) => {
  const today = useToday()
  const [scope, setScope] = useState<'new' | 'future'>('future')
  const [fromOn, setFromOn] = useState<string | null>(today)
  const [tell, setTell] = useState(false)
  const [except, setExcept] = useState<ReadonlyMap<string, string>>(new Map())
  const apply = useApplyPrices()
  const said = useSaid()
  const wish: PriceWish | null =
    what && fromOn && fromOn >= today
      ? { ...what, scope, fromOn, exceptCustomerIds: [...except.keys()], tell: tell && scope === 'future' }
      : null
  const asked = useSettled(JSON.stringify(wish))
  const settled = JSON.parse(asked) as PriceWish | null
  const preview = useQuery({
    ...pricePreviewQuery({ ...(settled as PriceWish), tell: false }),
    enabled: settled !== null,
  })
  const current = JSON.stringify(wish) === asked
  const seen = settled ? preview.data : undefined
  const stale = !current || preview.isPlaceholderData
  const submit = async () => {
    if (!wish || !seen || stale) return
    const { jobs, visits, visitsAfterCents } = seen
    try {
      const done = await apply.mutateAsync({ ...wish, expected: { jobs, visits, visitsAfterCents } })
      said(done)
      onDone?.()
      onClose()
    } catch (error) {
      toast.error(error)
      void preview.refetch()
    }
  }
  return (
    <form
      className="prc"
      aria-label="New prices"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {children}
      <RadioField
        label="For which work"
        value={scope}
        onChange={setScope}
        options={[
          {
            value: 'future',
            label: 'Also future visits of booked jobs',
            hint: 'Finished, started and invoiced work keeps its price.',
          },
          { value: 'new', label: 'New jobs only', hint: 'Everything that is booked keeps its price.' },
        ]}
      />
      <DateField
        label="From"
        value={fromOn}
        min={today}
        today={today}
        onChange={setFromOn}
        hint="Visits before this day keep the old price."
        className="prc__from"
      />
      {scope === 'new' || !wish ? null : preview.error ? (
        <ErrorState compact error={preview.error} onRetry={() => void preview.refetch()} />
      ) : !seen ? (
        <TableSkeleton rows={3} columns={3} />
      ) : (
        <>
          <PriceOutcome
            preview={seen}
            stale={stale}
            except={except}
            onExcept={({ id, name }, left) =>
              setExcept((old) => {
                const next = new Map(old)
                if (left) next.set(id, name)
                else next.delete(id)
                return next
              })
            }
          />
          {seen.customerCount > 0 ? (
            <div className="prc__tell">
              <CheckboxField
                label={`Tell ${seen.reachable === seen.customerCount ? 'the' : `${seen.reachable} of ${seen.customerCount}`} customers`}
                hint={
                  seen.reachable === 0
                    ? 'None of them can be reached by text or mail.'
                    : 'By text or mail, after five minutes and out of quiet hours. Undo before then recalls it.'
                }
                value={tell && seen.reachable > 0}
                onChange={setTell}
                disabled={seen.reachable === 0}
              />
              {tell && seen.notice ? <blockquote className="prc__notice">{seen.notice}</blockquote> : null}
            </div>
          ) : null}
        </>
      )}
      <FormActions>
        <Button
          calls={pricesApi.apply}
          type="submit"
          kind="primary"
          loading={apply.isPending}
          disabled={!wish || !seen || stale || preview.error !== null}
        >
          {scope === 'new' || !seen
            ? 'Change the prices'
            : `Change ${seen.visits.toLocaleString('en-US')} ${seen.visits === 1 ? 'visit' : 'visits'}`}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </form>
  )
}
