import { useState } from 'react'
import { DayStrip } from '../DayStrip.tsx'
import { Alert } from '../field/Alert.tsx'
import { ChoiceList } from '../field/ChoiceList.tsx'
import { Dock } from '../field/Dock.tsx'
import { FieldButton } from '../field/FieldButton.tsx'
import { FieldCard } from '../field/FieldCard.tsx'
import { FieldFacts } from '../field/FieldFacts.tsx'
import { FieldHeader } from '../field/FieldHeader.tsx'
import { FieldInput } from '../field/FieldInput.tsx'
import { FieldScreen } from '../field/FieldScreen.tsx'
import '../field/fieldTheme.ts'
import { MainAction } from '../field/MainAction.tsx'
import { PhotoButton } from '../field/PhotoButton.tsx'
import { Sheet } from '../field/Sheet.tsx'
import { StopRow } from '../field/StopRow.tsx'
import { SyncChip } from '../field/SyncChip.tsx'
import {
  IconCalendar,
  IconClock,
  IconDog,
  IconHome,
  IconMessage,
  IconNavigation,
  IconPlayerPlay,
  IconUser,
} from '../icons.ts'
import { dayOf } from './sample.ts'

const stops = dayOf(18, 11, [5, 'skipped'])
const tabs = [
  { value: 'today', label: 'Today', href: '/1', icon: <IconHome /> },
  { value: 'clock', label: 'Clock', href: '/2', icon: <IconClock /> },
  { value: 'week', label: 'Week', href: '/3', icon: <IconCalendar /> },
  { value: 'chat', label: 'Chat', href: '/4', icon: <IconMessage />, count: 2 },
  { value: 'me', label: 'Me', href: '/5', icon: <IconUser /> },
]

export const Crew = () => {
  const [skipping, setSkipping] = useState(location.hash === '#skip')
  const [reason, setReason] = useState<string | null>('gate')
  const [note, setNote] = useState('')
  return (
    <FieldScreen
      header={
        <FieldHeader
          left="Clocked in 6:58 AM · 5 h 41"
          right={
            <SyncChip
              state={{ unsent: 3, waiting: 3, attention: 0, online: false, sending: false }}
              onClick={() => undefined}
            />
          }
          title="Stop 12 of 18 · back at 2:55"
        >
          <DayStrip stops={stops} ariaLabel="Your day" fitContent onPine height={22} />
        </FieldHeader>
      }
      dock={
        <Dock tabs={tabs} value="today" label="Main">
          <MainAction icon={<IconPlayerPlay aria-hidden="true" />} onClick={() => undefined}>
            Start
          </MainAction>
        </Dock>
      }
    >
      <FieldCard>
        <div className="hint">1.2 mi · 4 min away</div>
        <h2 style={{ fontSize: 27, lineHeight: 1.15 }}>132 Laurel Green Ct</h2>
        <div className="muted">R. Odom · Mow, edge, trim, blow</div>
        <Alert icon={<IconDog aria-hidden="true" />}>
          Dog in back yard. <button type="button">Gate code: tap to show</button>
        </Alert>
        <FieldFacts
          items={[
            { label: 'Mow height', value: '3.5 in, bag clippings' },
            { label: 'Budget', value: '28 min for two' },
            { label: 'Park', value: 'On the street, not the drive' },
          ]}
        />
        <div className="f-actions" style={{ marginTop: 16 }}>
          <FieldButton icon={<IconNavigation aria-hidden="true" />} href="https://maps.example">
            Navigate
          </FieldButton>
          <FieldButton icon={<IconMessage aria-hidden="true" />}>On my way</FieldButton>
          <PhotoButton onPhotos={() => undefined}>Photo before</PhotoButton>
          <FieldButton onClick={() => setSkipping(true)}>Skip…</FieldButton>
        </div>
      </FieldCard>
      <FieldCard flush>
        <StopRow number={13} title="1513 Cathy St" sub="Mow, edge · 22 min" side="12:58" href="/13" />
        <StopRow
          number={14}
          title="45 Wassaw Rd"
          sub="Mow · checklist · 35 min"
          side="1:26"
          warning="Call before"
          state="now"
          href="/14"
        />
        <StopRow number={10} title="11 Vernon River Dr" sub="Mow" side="11:02" state="done" />
        <StopRow number={6} title="203 E Gwinnett St" sub="Gate locked" side="" state="skipped" />
      </FieldCard>
      <Sheet
        open={skipping}
        onClose={() => setSkipping(false)}
        title="Why skip this stop?"
        footer={
          <FieldButton kind="main" onClick={() => setSkipping(false)}>
            Skip this stop
          </FieldButton>
        }
      >
        <ChoiceList
          label="Reason"
          value={reason}
          onChange={setReason}
          choices={[
            { value: 'gate', label: 'Gate locked', hint: 'The customer gets a text' },
            { value: 'dog', label: 'Dog loose' },
            { value: 'wet', label: 'Too wet' },
            { value: 'other', label: 'Other' },
          ]}
        />
        <FieldInput label="Note" lines={2} value={note} onChange={setNote} />
      </Sheet>
    </FieldScreen>
  )
}
