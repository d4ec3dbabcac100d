import { paths } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { IconCheck } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import type { Dashboard } from '../contract.ts'

const label: Record<Dashboard['start'][number]['key'], { title: string; text: string; action: string }> = {
  customers: {
    title: 'Bring your customers',
    text: 'Import a list in any column order, or add the first by hand.',
    action: 'Import or add customers',
  },
  services: {
    title: 'Set your services and prices',
    text: 'Start from the usual lawn-care work and change what differs.',
    action: 'Set services',
  },
  crews: {
    title: 'Make your crews',
    text: 'Who is on it, where it starts, when it works. Just you is a crew too.',
    action: 'Add a crew',
  },
  jobs: {
    title: "Book the season's mowing",
    text: 'One weekly job for every customer of a filter, in one action.',
    action: 'Create jobs',
  },
}

/** What a new business does first, in the order in which each step needs the one before. */
export const FirstSteps = ({ steps }: { steps: Dashboard['start'] }) => {
  const next = steps.find((step) => !step.done)
  return (
    <Card title="Get to your first route" hint={`${steps.filter((s) => s.done).length} of ${steps.length} done`} flush>
      <ol className="dash-steps">
        {steps.map((step, i) => (
          <li key={step.key} className={step.done ? 'is-done' : undefined}>
            <span className="dash-steps__n">
              {step.done ? <IconCheck size={16} role="img" aria-label="done" /> : i + 1}
            </span>
            <span className="dash-steps__words">
              <b>{label[step.key].title}</b>
              <span className="muted">{label[step.key].text}</span>
            </span>
            {step.done ? null : (
              <Button kind={step === next ? 'primary' : 'secondary'} href={step.path}>
                {label[step.key].action}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p className="dash-steps__also muted">
        While you are at it, what takes days elsewhere:{' '}
        <LinkTo href={`${paths.profile}?section=messages#texts`}>register your texts</LinkTo> with the carriers, and{' '}
        <LinkTo href={`${paths.profile}?section=messages#sender`}>write from your own mail address</LinkTo>.
      </p>
    </Card>
  )
}
