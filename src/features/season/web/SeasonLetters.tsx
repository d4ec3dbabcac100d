import { useQuery } from '@tanstack/react-query'
import { fetchFile } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { saveFile } from '../../../ui/saveFile.ts'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type SeasonAcceptance, type SeasonLetter, seasonApi } from '../contract.ts'
import { lettersQuery, useRecall, useSend } from './data.ts'
import { count } from './words.ts'

const wayOf = ({ kind, sentAt, waiting, holds, channel, reason }: SeasonLetter): string =>
  sentAt !== null
    ? [
        waiting ? 'waits to leave' : kind === 'stays' ? 'told that the day stays' : 'told',
        holds ? '' : 'it has another day by now',
      ]
        .filter(Boolean)
        .join('; ')
    : channel === 'sms'
      ? 'by text'
      : channel === 'email'
        ? 'by e-mail'
        : `not reached: ${reason}`

type Props = { step: SeasonAcceptance; onClose: () => void }

/** What each customer who moved reads and by which way; sent once, and letters to print for the others. */
export const SeasonLetters = ({ step, onClose }: Props) => {
  const may = useMay()
  const letters = useQuery(lettersQuery(step.id))
  const send = useSend(step.id)
  const recall = useRecall(step.id)
  const { data } = letters
  const left = data ? data.counts.told - data.counts.waiting : 0
  const reached = data ? data.counts.texts + data.counts.emails : 0
  const print = async () => {
    try {
      const { blob } = await fetchFile(seasonApi.paper, { params: { id: step.id } })
      saveFile(blob, 'New service days.pdf')
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <Dialog open onClose={onClose} title="Tell who moves" size="l">
      {letters.error && !data ? (
        <ErrorState compact error={letters.error} onRetry={() => letters.refetch()} />
      ) : !data ? (
        <PanelSkeleton />
      ) : (
        <div className="season-letters">
          <p>
            {[
              data.counts.texts > 0 ? `${count(data.counts.texts, 'text')}` : '',
              data.counts.emails > 0 ? `${count(data.counts.emails, 'e-mail')}` : '',
              left > 0 ? `${left} told already` : '',
              data.counts.waiting > 0 ? `${count(data.counts.waiting, 'letter waits', 'letters wait')} to leave` : '',
              data.counts.unreached > 0 ? `${data.counts.unreached} not reached` : '',
            ]
              .filter(Boolean)
              .join(', ') || 'Nobody of this step has another day or week now, so there is nothing to tell.'}
          </p>
          {data.counts.told > 0 ? (
            <Banner
              tone={!data.items.every((item) => item.holds) ? 'warn' : data.counts.waiting > 0 ? 'info' : 'done'}
              title={
                data.counts.waiting === 0
                  ? 'They were told.'
                  : left === 0
                    ? 'Nobody was told yet.'
                    : `${count(left, 'customer was', 'customers were')} told, others not yet.`
              }
              action={
                data.counts.waiting > 0 && may(seasonApi.recall) ? (
                  <Button
                    size="s"
                    calls={seasonApi.recall}
                    loading={recall.isPending}
                    onClick={() =>
                      recall
                        .mutateAsync(null)
                        .then(() => toast.success('What had not left stays here. They can be told anew.'))
                        .catch(toast.error)
                    }
                  >
                    Call back {count(data.counts.waiting, 'letter')}
                  </Button>
                ) : undefined
              }
            >
              {data.counts.waiting > 0
                ? `${count(data.counts.waiting, 'letter has', 'letters have')} not left yet, and ${data.counts.waiting === 1 ? 'leaves' : 'leave'} 5 minutes after you told them to, texts not at night: called back, or with this step taken back, ${data.counts.waiting === 1 ? 'it stays' : 'they stay'} here.`
                : 'All of them have left.'}
              {data.items.some((item) => !item.holds)
                ? ' Somebody changed a day since: what that letter says is not so any more.'
                : ''}
            </Banner>
          ) : null}
          <ul aria-label="Letters">
            {data.items.map((item) => (
              <li key={`${item.customerId} ${item.kind} ${item.sentAt}`}>
                <b>{item.customerName}</b>{' '}
                <span className="hint">
                  {wayOf(item)}
                  {item.language === 'es' ? ', in Spanish' : ''}
                </span>
                <p lang={item.language}>{item.text}</p>
              </li>
            ))}
          </ul>
          <FormActions>
            {step.can.send && reached > 0 ? (
              <Button
                kind="primary"
                calls={seasonApi.send}
                loading={send.isPending}
                onClick={() =>
                  send
                    .mutateAsync(reached)
                    .then(() =>
                      toast.success(
                        `${count(reached, 'customer')} will be told in 5 minutes; Undo until then tells nobody`,
                      ),
                    )
                    .catch(toast.error)
                }
              >
                Tell {count(reached, 'customer')}
              </Button>
            ) : null}
            {data.counts.unreached > 0 ? (
              <Button onClick={() => void print()}>Print {count(data.counts.unreached, 'letter')}</Button>
            ) : null}
            <Button onClick={onClose}>Close</Button>
          </FormActions>
        </div>
      )}
    </Dialog>
  )
}
