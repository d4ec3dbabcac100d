import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import type { PriceChange } from '../../../jobs/prices/contract.ts'
import { type LetterPreview, lawnsApi } from '../contract.ts'
import { type LetterWish, letterPreviewQuery, useSendLetters } from './data.ts'

const many = (n: number, one: string): string => `${n.toLocaleString('en-US')} ${n === 1 ? one : `${one}s`}`

const wayOf = ({ channel, reason }: LetterPreview['letters'][number]): string =>
  channel === 'sms' ? 'by text' : channel === 'email' ? 'by e-mail' : `to print: ${reason}`

type Props = { wish: LetterWish; onClose: () => void; onSent: (change: PriceChange) => void }

/** Each letter as its customer will read it, and what the new prices bring: the last look before both are done. */
export const LetterDialog = ({ wish, onClose, onSent }: Props) => {
  const preview = useQuery(letterPreviewQuery(wish))
  const send = useSendLetters()
  // The second of two fast presses comes before the first is drawn.
  const sending = useRef(false)
  const { data } = preview
  const submit = async () => {
    if (!data || sending.current) return
    sending.current = true
    try {
      onSent(await send.mutateAsync({ ...wish, expected: { visits: data.visits, reached: data.reached } }))
    } catch (error) {
      toast.error(error)
      void preview.refetch()
    } finally {
      sending.current = false
    }
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
      {preview.error && !preview.isFetching ? (
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
            From <b>{formatDay(wish.fromOn, { long: true, year: true })}</b> on, {many(data.visits, 'visit')} ahead cost{' '}
            {formatCents(data.visitsAfterCents)} instead of {formatCents(data.visitsBeforeCents)}; in season that is{' '}
            <b>{formatCents(data.afterCents - data.beforeCents)} more a month</b>. Visits before that day, and what is
            finished or billed, keep their price.
          </p>
          {data.ownVisits > 0 ? (
            <Banner tone="info" title={`${many(data.ownVisits, 'visit')} with a price set by hand`}>
              {data.ownVisits === 1 ? 'It keeps that price.' : 'They keep that price.'}
            </Banner>
          ) : null}
          {paper > 0 ? (
            <Banner tone="warn" title={`${many(paper, 'customer')} can only be reached on paper.`}>
              Their letters are ready to print under “Letters so far” once the prices are changed.
            </Banner>
          ) : null}
          <ul aria-label="Letters">
            {data.letters.map((one) => (
              <li key={one.customerId}>
                <b>{one.customerName}</b>{' '}
                <span className="hint">
                  {wayOf(one)}
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
                ? `Change the prices and send ${many(data.reached, 'letter')}`
                : `Change the prices of ${many(wish.lines.length, 'lawn')}`}
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
