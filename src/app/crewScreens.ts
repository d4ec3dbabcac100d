import { type ScreenTable, screenFile } from './screenFiles.ts'

const todayScreen = screenFile('TodayScreen', () =>
  import('../features/crewapp/web/TodayScreen.tsx').then((m) => m.TodayScreen),
)
const timeClockScreen = screenFile('TimeClockScreen', () =>
  import('../features/crewapp/web/TimeClockScreen.tsx').then((m) => m.TimeClockScreen),
)
const weekScreen = screenFile('WeekScreen', () =>
  import('../features/crewapp/web/WeekScreen.tsx').then((m) => m.WeekScreen),
)
const crewProfileScreen = screenFile('CrewProfileScreen', () =>
  import('../features/crewapp/web/CrewProfileScreen.tsx').then((m) => m.CrewProfileScreen),
)
const ownSheetsScreen = screenFile('OwnSheetsScreen', () =>
  import('../features/crewapp/web/OwnSheetsScreen.tsx').then((m) => m.OwnSheetsScreen),
)
const crewRouteScreen = screenFile('CrewRouteScreen', () =>
  import('../features/crewapp/web/CrewRouteScreen.tsx').then((m) => m.CrewRouteScreen),
)
const crewChatScreen = screenFile('CrewChatScreen', () =>
  import('../features/crewapp/web/chat/CrewChatScreen.tsx').then((m) => m.CrewChatScreen),
)

const crewQuotesScreen = screenFile('CrewQuotesScreen', () =>
  import('../features/crewapp/web/quotes/CrewQuotesScreen.tsx').then((m) => m.CrewQuotesScreen),
)

/** Which file draws a path of the crew app. What is not here is a planned page. */
export const crewScreens: ScreenTable = {
  '/employee-dashboard': todayScreen,
  '/employee-timeclock': timeClockScreen,
  '/employee-timesheets': ownSheetsScreen,
  '/employee-week-view': weekScreen,
  '/employee-chat': crewChatScreen,
  '/employee-profile': crewProfileScreen,
  '/employee-quotes': crewQuotesScreen,
  '/quote-builder-pro': crewQuotesScreen,
  '/route-map': crewRouteScreen,
}
