import { ApiProblems, ProblemValidationPipe } from '@laurel/activity/http';
import { Body, Controller, HttpCode, Post, UseGuards, UsePipes } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignInThrottleGuard } from '../throttling/sign-in-throttle.guard';
import { Credentials, Registration } from './auth.dto';
import { Session } from './auth.responses';
import { AuthService } from './auth.service';

/** Registering and signing in. */
@ApiTags('auth')
@ApiProblems(400, 429, 503)
@Controller('auth')
@UseGuards(SignInThrottleGuard)
@UsePipes(ProblemValidationPipe)
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Post('register')
  @ApiOperation({ summary: 'Registers a user and signs them in.' })
  @ApiCreatedResponse({ type: Session })
  @ApiProblems(409)
  register(@Body() body: Registration): Promise<Session> {
    return this.auth.register(body);
  }

  @Post('login')
  @HttpCode(200)
  @ApiOperation({ summary: 'Signs a user in.', description: 'A refusal does not say which part was wrong.' })
  @ApiOkResponse({ type: Session })
  @ApiProblems(401)
  login(@Body() body: Credentials): Promise<Session> {
    return this.auth.login(body);
  }
}
