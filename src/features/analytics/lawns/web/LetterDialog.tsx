import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { counted } from '../../../../shared/counted.ts'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useUser } from '../../../accounts/web/session.ts'
import type { PriceChange } from '../../../jobs/prices/contract.ts'
import { type LetterPreview, lawnsApi } from '../contract.ts'
import { type LetterWish, letterPreviewQuery, useSendLetters } from './data.ts'

const wayOf = ({ channel, reason, quietUntil }: LetterPreview['letters'][number], timeZone: string): string =>
  channel === 'sms'
    ? `by text${quietUntil ? `, ${heldWords(quietUntil, timeZone)}` : ''}`
    : channel === 'email'
      ? 'by e-mail'
      : `to print: ${reason}`

/** "not before Tue, Jun 9 at 8 AM": quiet hours hold a text. */
const heldWords = (until: string, timeZone: string): string =>
  `not before ${formatDay(dayOf(until, timeZone))} at ${formatTime(until, timeZone)}`

/** When letters leave that are sent now: "12 letters leave in 5 minutes, 3 texts not before Tue, Jun 9 at 8 AM". */
const leavingWords = (letters: LetterPreview['letters'], timeZone: string): string => {
  const going = letters.filter((one) => one.channel !== null)
  const held = going.flatMap(({ quietUntil }) => (quietUntil ? [quietUntil] : [])).toSorted()
  const soon = going.length - held.length
  return [
    soon > 0 ? `${counted(soon, 'letter')} ${soon === 1 ? 'leaves' : 'leave'} in 5 minutes` : '',
    held[0]
      ? `${counted(held.length, 'text')} ${held.length === 1 ? 'leaves' : 'leave'} ${heldWords(held[0], timeZone)}`
      : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** What the server would not do, in its own words; null for what did not come to it, which may be tried again. */
const refusalOf = (error: unknown): string | null =>
  error instanceof ApiError && [404, 409, 422].includes(error.status)
    ? (error.errors[0]?.message ?? error.message)
    : null

type Props = { wish: LetterWish; onClose: () => void; onSent: (change: PriceChange, leaving: string) => void }

/** Each letter as its customer will read it, and what the new prices bring: the last look before both are done. */
export const LetterDialog = ({ wish, onClose, onSent }: Props) => {
  const { timeZone } = useUser().business
  const preview = useQuery(letterPreviewQuery(wish))
  const send = useSendLetters()
  const client = useQueryClient()
  // The second of two fast presses comes before the first is drawn.
  const sending = useRef(false)
  const { data } = preview
  const submit = async () => {
    if (!data || sending.current) return
    sending.current = true
    try {
      const change = await send.mutateAsync({ ...wish, seal: data.seal })
      onSent(change, leavingWords(data.letters, timeZone))
    } catch (error) {
      // where the letters are refused as well the dialog says why; else somebody has to read them again
      const again = await preview.refetch()
      if (refusalOf(again.error) === null) toast.error(error)
    } finally {
      sending.current = false
    }
  }
  const refused = refusalOf(preview.error)
  const back = () => {
    // what the list offered is not so any more
    void client.invalidateQueries({ queryKey: ['analytics', 'price-letters'] })
    onClose()
  }
  const paper = data ? data.letters.length - data.reached : 0
  return (
    <Dialog
      open
      onClose={send.isPending ? () => undefined : onClose}
      title="Price letters"
      size="l"
      closeOnOutside={false}
    >
      {refused !== null && !preview.isFetching ? (
        <>
          <Banner tone="warn" title="These letters cannot leave">
            {refused} The list shows what is left.
          </Banner>
          <FormActions>
            <Button onClick={back}>Back to the list</Button>
          </FormActions>
        </>
      ) : preview.error && !preview.isFetching ? (
        <>
          <ErrorState compact error={preview.error} onRetry={() => void preview.refetch()} />
          <FormActions>
            <Button onClick={onClose}>Back</Button>
          </FormActions>
        </>
      ) : !data ? (
        <PanelSkeleton />
      ) : (
        <div className="lw-letters">
          <p>
            From <b>{formatDay(wish.fromOn, { long: true, year: true })}</b> on, {counted(data.visits, 'visit')} ahead
            cost {formatCents(data.visitsAfterCents)} instead of {formatCents(data.visitsBeforeCents)}; in season that
            is <b>{formatCents(data.afterCents - data.beforeCents)} more a month</b>. Visits before that day, and what
            is finished or billed, keep their price.
          </p>
          {data.ownVisits > 0 ? (
            <Banner tone="info" title={`${counted(data.ownVisits, 'visit')} with a price set by hand`}>
              {data.ownVisits === 1 ? 'It keeps that price.' : 'They keep that price.'}
            </Banner>
          ) : null}
          {paper > 0 ? (
            <Banner tone="warn" title={`${counted(paper, 'customer')} can only be reached on paper.`}>
              Their letters are ready to print under “Letters so far” once the prices are changed.
            </Banner>
          ) : null}
          <ul aria-label="Letters">
            {data.letters.map((one) => (
              <li key={one.customerId}>
                <b>{one.customerName}</b>{' '}
                <span className="hint">
                  {wayOf(one, timeZone)}
                  {one.language === 'es' ? ', in Spanish' : ''}
                </span>
                <p lang={one.language}>{one.text}</p>
              </li>
            ))}
          </ul>
          <FormActions>
            <Button
              kind="primary"
              calls={lawnsApi.send}
              loading={send.isPending}
              disabled={preview.isFetching}
              onClick={() => void submit()}
            >
              {data.reached > 0
                ? `Change the prices and send ${counted(data.reached, 'letter')}`
                : `Change the prices of ${counted(wish.lines.length, 'lawn')}`}
            </Button>
            <Button onClick={onClose} disabled={send.isPending}>
              Cancel
            </Button>
          </FormActions>
          <p className="hint">
            Letters leave after five minutes and out of quiet hours. Undo puts the prices back and recalls what has not
            left.
          </p>
        </div>
      )}
    </Dialog>
  )
}
