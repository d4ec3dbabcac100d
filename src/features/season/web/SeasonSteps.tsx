import { useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type SeasonRun, seasonApi } from '../contract.ts'
import { useUndo } from './data.ts'
import { SeasonLetters } from './SeasonLetters.tsx'
import { count, lettersText } from './words.ts'

/** What was taken over of a plan, step by step, each with its letters and its Undo. */
export const SeasonSteps = ({ run }: { run: SeasonRun }) => {
  const undo = useUndo()
  const [letters, setLetters] = useState<string | null>(null)
  const step = run.acceptances.find((one) => one.id === letters)
  const kept = undo.data?.kept ?? []
  const told = undo.data?.told ?? 0
  const undoneId = undo.variables ?? null
  if (run.acceptances.length === 0) return null
  return (
    <Card title="Taken over">
      {kept.length > 0 ? (
        <Banner tone="warn" title="What was changed since was left alone.">
          {kept
            .slice(0, 5)
            .map((one) => `${one.customerName}${one.day ? ` on ${formatDay(one.day)}` : ''} ${one.why}`)
            .join('; ')}
          {kept.length > 5 ? ` and ${kept.length - 5} more` : ''}.
        </Banner>
      ) : null}
      {told > 0 && undoneId !== null ? (
        <Banner
          tone="warn"
          title={`${count(told, 'customer was', 'customers were')} told of the new day already.`}
          action={
            <Button size="s" onClick={() => setLetters(undoneId)}>
              Tell them…
            </Button>
          }
        >
          Tell them that their day stays.
        </Banner>
      ) : null}
      <ul className="season-steps" aria-label="Steps">
        {run.acceptances.map((one) => {
          const over = one.undoneMoves >= one.moves
          return (
            <li key={one.id}>
              <span>
                <b>
                  {count(one.moves, 'job')} from {formatDay(one.fromOn)}
                </b>
                <span className="hint">
                  {over
                    ? 'taken back'
                    : one.undoneMoves > 0
                      ? `taken back for ${one.undoneMoves}`
                      : count(one.visitsMoved, 'visit moved', 'visits moved')}
                  {one.visitsKept > 0 ? `, ${one.visitsKept} stayed as placed by hand` : ''}
                  {one.byName ? ` · ${one.byName}` : ''} · <RelativeTime at={one.at} />
                  {lettersText(one.letters) ? ` · ${lettersText(one.letters)}` : ''}
                </span>
              </span>
              {one.unlicensed ? (
                <span className="hint">
                  {count(one.unlicensed.visits, 'visit lacks', 'visits lack')} a license on the day:{' '}
                  {one.unlicensed.example}
                </span>
              ) : null}
              {over && one.lettersAt === null ? null : (
                <span className="season-step-do">
                  <Button size="s" onClick={() => setLetters(one.id)}>
                    {one.lettersAt ? 'Letters' : 'Tell them…'}
                  </Button>
                  {one.can.undo ? (
                    <Button
                      size="s"
                      calls={seasonApi.undo}
                      loading={undo.isPending && undo.variables === one.id}
                      onClick={() =>
                        undo
                          .mutateAsync(one.id)
                          .then((done) => toast.success(`${count(done.restoredJobs, 'job')} back on the old days`))
                          .catch(toast.error)
                      }
                    >
                      Undo
                    </Button>
                  ) : null}
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {step ? <SeasonLetters step={step} onClose={() => setLetters(null)} /> : null}
    </Card>
  )
}
