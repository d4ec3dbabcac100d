import { Badge } from '../Badge.tsx'
import { Banner } from '../Banner.tsx'
import { Button } from '../Button.tsx'
import { Card } from '../Card.tsx'
import { DayStrip } from '../DayStrip.tsx'
import { IconButton } from '../IconButton.tsx'
import { IconCloudRain, IconDots } from '../icons.ts'
import { Menu } from '../Menu.tsx'
import { Money } from '../Money.tsx'
import { PageHeader } from '../PageHeader.tsx'
import { Stat } from '../Stat.tsx'
import { StatRow } from '../StatRow.tsx'
import { StripLanes } from '../StripLanes.tsx'
import { Tabs } from '../Tabs.tsx'
import { lanes } from './sample.ts'

export const Board = () => {
  return (
    <main style={{ padding: '26px min(28px, 4vw)', maxWidth: 1240 }}>
      <PageHeader
        title="Friday, June 12"
        sub="4 crews out · 61 stops · done by 4:35 PM at this pace"
        actions={
          <>
            <Menu
              items={[
                { label: 'Print route sheets' },
                { label: 'Text customers', hint: '61' },
                'line',
                { label: 'Cancel the day', danger: true },
              ]}
            >
              <IconButton label="More" kind="secondary" icon={<IconDots />} />
            </Menu>
            <Button>Re-plan day</Button>
            <Button kind="primary">Invoice 38 finished visits</Button>
          </>
        }
      />
      <Tabs
        label="Day"
        value="today"
        tabs={[
          { value: 'today', label: 'Today', href: '/a' },
          { value: 'week', label: 'Week', href: '/b' },
          { value: 'late', label: 'Overdue', count: 12, href: '/c' },
        ]}
      />
      <Banner
        tone="warn"
        icon={<IconCloudRain size={20} />}
        title="Rain 80% tomorrow, 10 AM to 3 PM."
        action={<Button>Preview the push</Button>}
      >
        17 stops of 2 crews fall in it.
      </Banner>
      <div style={{ margin: '18px 0' }}>
        <StatRow>
          <Stat label="Earned today" value="$3,184.50" note="+12.4% on last Friday" tone="good" href="/x" />
          <Stat label="Per labor hour" value="$68.20" note="target $65.00" href="/x" />
          <Stat label="Drive time" value="3 h 12 min" note="41% less than in booked order" tone="good" href="/x" />
          <Stat
            label="Owed to you"
            value={<Money cents={642000} />}
            note="$1,150.00 is over 30 days"
            tone="bad"
            href="/x"
          />
        </StatRow>
      </div>
      <Card title="Today's swaths" hint="one stripe a stop, as wide as its minutes; gaps are driving" flush>
        <StripLanes lanes={lanes} nowMinute={832} onSelect={() => undefined} />
      </Card>
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap', margin: '18px 0' }}>
        {(['done', 'now', 'late', 'wait', 'neutral', 'flag'] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <Button kind="danger">Delete</Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="primary" loading>
          Sending
        </Button>
        <Button disabled>Disabled</Button>
        <Button size="s">Small</Button>
        <Button size="l" kind="primary">
          Large
        </Button>
      </div>
      <Card title="One crew, with its list">
        <DayStrip
          stops={lanes[1]?.stops ?? []}
          ariaLabel="Midtown"
          shift={{ startMinute: 420, endMinute: 960 }}
          axis
          list
          height={44}
          selectedId="s6"
        />
        <div style={{ width: 140, marginTop: 16 }}>
          <DayStrip stops={lanes[0]?.stops ?? []} ariaLabel="Thumbnail" still fitContent height={16} times={false} />
        </div>
      </Card>
    </main>
  )
}
