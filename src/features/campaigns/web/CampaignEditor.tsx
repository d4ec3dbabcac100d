import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { IconCopy, IconTrash } from '../../../ui/icons.ts'
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useParams } from '../../../ui/useParams.ts'
import type { Campaign } from '../contract.ts'
import { conditionNeeds, isWhole } from '../segments/rules.ts'
import { SegmentBuilder } from '../segments/web/SegmentBuilder.tsx'
import { countQuery, useCampaigns } from './data.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { useDraft } from './useDraft.ts'
import { useProblems } from './useProblems.ts'
import { useRested } from './useRested.ts'
import { WhatStep } from './WhatStep.tsx'
import { WhenStep } from './WhenStep.tsx'

const steps = ['who', 'what', 'when'] as const
export type Step = (typeof steps)[number]
const stepLabels: Record<Step, string> = { who: '1. Who', what: '2. What', when: '3. When' }

/** The steps of one campaign are one place. */
const ownPlace = [recordParam.campaign]

/** A campaign that has not begun, in three steps; it saves itself. */
export const CampaignEditor = ({ campaign, onOpen }: { campaign: Campaign; onOpen: (id: string | null) => void }) => {
  const { params, change: changePlace } = useParams()
  const step = steps.find((one) => one === params.get('step')) ?? 'who'
  const { draft, change, save, saveAgain, isSaved, hasUnsaved, drop, refused, failed, version, dialog } =
    useDraft(campaign)
  const problems = useProblems(campaign, draft, refused)
  const half = draft.conditions.find((one) => !isWhole(one))
  const { remove, act } = useCampaigns()
  const [removing, setRemoving] = useState(false)
  const asked = useRested(draft.conditions.filter(isWhole), 300)
  const count = useQuery({ ...countQuery(asked), placeholderData: keepPreviousData })
  const go = async (next: Step) => {
    await save()
    changePlace({ step: next === 'who' ? null : next })
  }
  const at = steps.indexOf(step)
  const [before, after] = [steps[at - 1], steps[at + 1]]
  const why = failed?.message ?? refused[0]?.message ?? (half ? conditionNeeds(half) : undefined)
  return (
    <>
      <PageHeader
        back={{ href: linkTo.campaigns(), label: 'All campaigns' }}
        title={draft.name || 'Campaign'}
        beside={<StatusBadge status={campaign.status} />}
        sub={campaign.channel === 'email' ? 'By e-mail' : 'By text'}
        actions={
          <>
            <span className="hint" role="status">
              {isSaved && half
                ? 'Saved, but for a condition without a value'
                : isSaved
                  ? 'Saved'
                  : refused.length > 0 || failed
                    ? 'Not saved'
                    : 'Saving …'}
            </span>
            <MoreMenu
              label="More for this campaign"
              items={[
                {
                  label: 'Copy',
                  icon: <IconCopy size={18} />,
                  onClick: () =>
                    act.mutate(
                      { id: campaign.id, verb: 'copy' },
                      { onSuccess: ({ id }) => onOpen(id), onError: toast.error },
                    ),
                },
                campaign.can.remove && {
                  label: 'Throw away',
                  icon: <IconTrash size={18} />,
                  danger: true,
                  onClick: () => setRemoving(true),
                },
              ]}
            />
          </>
        }
      />
      {failed ? (
        <Banner
          tone="error"
          title="This is not saved"
          action={<Button onClick={() => void saveAgain()}>Try again</Button>}
        >
          {failed.message}
        </Banner>
      ) : null}
      {refused.length > 0 ? (
        <Banner tone="error" title="This is not saved">
          {refused[0]?.message}
          {campaign.status === 'scheduled'
            ? ' It is scheduled, so it is saved once it can leave; make it a draft again to keep it unfinished.'
            : ''}
        </Banner>
      ) : null}
      <Tabs
        label="Steps"
        tabs={steps.map((value) => ({ value, label: stepLabels[value] }))}
        value={step}
        onChange={(next) => void go(next)}
      />
      <div className="cp-step">
        {step === 'who' ? (
          <Card title="Who gets it" hint="All of the conditions have to fit.">
            <div className="cp-who">
              <TextField
                label="Name of the campaign"
                hint="Only you see it."
                maxLength={80}
                value={draft.name}
                error={refused.find(({ path }) => path === 'name')?.message}
                onChange={(name) => change({ name })}
              />
              <SegmentBuilder
                conditions={draft.conditions}
                channel={campaign.channel}
                onChange={(conditions) => change({ conditions })}
              />
            </div>
          </Card>
        ) : step === 'what' ? (
          <Card title="What it says">
            <WhatStep campaign={campaign} draft={draft} problems={problems} onChange={change} onSave={save} />
          </Card>
        ) : (
          <Card title="When it leaves">
            <WhenStep
              campaign={campaign}
              draft={draft}
              seen={count.data}
              version={version}
              problems={problems}
              half={half}
              onStep={(next) => void go(next)}
              onChange={change}
              onSave={save}
            />
          </Card>
        )}
        <div className="cp-steps">
          {before ? <Button onClick={() => void go(before)}>Back: {stepLabels[before].slice(3)}</Button> : null}
          {after ? (
            <Button kind="primary" onClick={() => void go(after)}>
              Next: {stepLabels[after].slice(3)}
            </Button>
          ) : null}
        </div>
      </div>
      {dialog}
      <LeaveGuard within={ownPlace} hasUnsaved={hasUnsaved} onSave={save} onDrop={drop} why={why} />
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        title={`Throw ${draft.name || 'this campaign'} away?`}
        confirmLabel="Throw it away"
        danger
        onConfirm={async () => {
          await remove.mutateAsync(campaign.id)
          drop()
          onOpen(null)
        }}
      >
        Nothing of it was sent. It cannot be brought back.
      </ConfirmDialog>
    </>
  )
}
