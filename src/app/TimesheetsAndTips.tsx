import { TipsCard } from '../features/payments/tips/web/TipsCard.tsx'
import { TimesheetsTab } from '../features/timeclock/sheets/web/TimesheetsTab.tsx'

/** The weeks of time with the tips of their days: two features that do not know each other. */
export const TimesheetsAndTips = () => <TimesheetsTab below={(from, to) => <TipsCard from={from} to={to} />} />
